// SPDX-License-Identifier: MIT
// The functions of GLFW 3.3 that Limber and Dear ImGui's backend use, by src/web/input.js; those of platform.cpp for a
// page, by src/web/page.js. Emscripten links this file into limber.js.
(function() {
  const library = {
    glfwCreateWindow__deps: ['$GL', '$getWasmTableEntry'],
    glfwCreateWindow: function(width, height, title, monitor, share) {
      LimberPage.resize();
      var context = GL.createContext(Module['canvas'], {
        majorVersion: 2, minorVersion: 0, alpha: false, depth: false, stencil: false, antialias: false,
        powerPreference: 'high-performance', enableExtensionsByDefault: 1
      });
      if (!context) return 0;
      GL.makeContextCurrent(context);
      LimberPage.functionOf = getWasmTableEntry;
      LimberPage.listen();
      return 1;
    },
    glfwGetProcAddress__sig: 'ii',
    glfwGetProcAddress: function(name) { return 0; },
    glfwSetWindowUserPointer: function(window, user) { LimberPage.user = user; },
    glfwGetWindowUserPointer: function(window) { return LimberPage.user; },
    glfwGetVersion: function(major, minor, revision) {
      HEAP32[major >> 2] = HEAP32[minor >> 2] = 3;
      HEAP32[revision >> 2] = 8;
    },
    glfwGetMonitors: function(count) {
      HEAP32[count >> 2] = 0;
      return 0;
    },
    glfwGetWindowPos: function(window, x, y) { HEAP32[x >> 2] = HEAP32[y >> 2] = 0; },
    glfwGetWindowSize: function(window, width, height) {
      if (width) HEAP32[width >> 2] = Module['canvas'].width;
      if (height) HEAP32[height >> 2] = Module['canvas'].height;
    },
    glfwGetFramebufferSize: function(window, width, height) {
      if (width) HEAP32[width >> 2] = Module['canvas'].width;
      if (height) HEAP32[height >> 2] = Module['canvas'].height;
    },
    glfwGetWindowContentScale: function(window, x, y) {
      HEAPF32[x >> 2] = HEAPF32[y >> 2] = devicePixelRatio || 1;
    },
    glfwGetWindowAttrib: function(window, attribute) {
      return attribute === 0x20001 ? LimberPage.focused : 0;  // GLFW_FOCUSED
    },
    glfwSetWindowTitle: function(window, title) { document.title = UTF8ToString(title); },
    glfwWindowShouldClose: function(window) { return LimberPage.shouldClose; },
    glfwSetWindowShouldClose: function(window, value) { LimberPage.shouldClose = value; },

    glfwSetKeyCallback: function(window, call) { return LimberPage.install('key', call); },
    glfwSetCharCallback: function(window, call) { return LimberPage.install('char', call); },
    glfwSetMouseButtonCallback: function(window, call) { return LimberPage.install('button', call); },
    glfwSetCursorPosCallback: function(window, call) { return LimberPage.install('cursor', call); },
    glfwSetScrollCallback: function(window, call) { return LimberPage.install('scroll', call); },
    glfwSetDropCallback: function(window, call) { return LimberPage.install('drop', call); },
    glfwSetWindowSizeCallback: function(window, call) { return LimberPage.install('size', call); },
    glfwSetWindowFocusCallback: function(window, call) { return LimberPage.install('focus', call); },

    glfwGetCursorPos: function(window, x, y) {
      HEAPF64[x >> 3] = LimberPage.x;
      HEAPF64[y >> 3] = LimberPage.y;
    },
    glfwGetMouseButton: function(window, button) { return LimberPage.buttons[button] || 0; },
    glfwGetKey: function(window, key) { return LimberPage.keys[key] || 0; },
    glfwGetKeyName: function(key, scancode) { return LimberPage.keyName(key); },
    glfwGetInputMode: function(window, mode) { return 0x34001; },  // GLFW_CURSOR_NORMAL
    glfwCreateStandardCursor: function(shape) { return shape; },
    glfwSetCursor: function(window, cursor) { LimberPage.setCursor(cursor); },
    glfwGetJoystickAxes: function(joystick, count) {
      HEAP32[count >> 2] = 0;
      return 0;
    },
    glfwGetJoystickButtons: function(joystick, count) {
      HEAP32[count >> 2] = 0;
      return 0;
    },
    glfwGetTime: function() { return performance.now() / 1000; },
    glfwPollEvents: function() { LimberPage.resize(); },
    glfwGetClipboardString: function(window) { return LimberPage.readClipboard(); },
    glfwSetClipboardString: function(window, text) { LimberPage.writeClipboard(UTF8ToString(text)); },

    limber_repeat__deps: ['$getWasmTableEntry'],
    limber_repeat: function(step) { Module['repeat'](getWasmTableEntry(step)); },
    limber_file_written: function(path) { Module['fileWritten'](UTF8ToString(path)); },
    limber_choose_file: function(endings) { Module['chooseFile'](UTF8ToString(endings)); },
  };

  // What a page neither has nor needs.
  const one = ['glfwInit', 'glfwGetCurrentContext'];
  const none = [
    'glfwTerminate', 'glfwGetError', 'glfwSetErrorCallback', 'glfwWindowHint', 'glfwWindowHintString',
    'glfwGetPrimaryMonitor', 'glfwGetMonitorPos', 'glfwGetMonitorWorkarea', 'glfwGetMonitorContentScale',
    'glfwGetVideoMode', 'glfwSetMonitorCallback', 'glfwDestroyWindow', 'glfwMakeContextCurrent', 'glfwSwapInterval',
    'glfwSwapBuffers', 'glfwSetWindowSizeLimits', 'glfwSetWindowPos', 'glfwSetWindowSize', 'glfwShowWindow',
    'glfwFocusWindow', 'glfwSetWindowOpacity', 'glfwSetCursorEnterCallback', 'glfwSetWindowPosCallback',
    'glfwSetWindowCloseCallback', 'glfwSetCursorPos', 'glfwSetInputMode', 'glfwDestroyCursor', 'glfwGetGamepadState',
    'glfwWaitEvents', 'glfwWaitEventsTimeout', 'glfwPostEmptyEvent'
  ];
  for (const name of one) library[name] = function() { return 1; };
  for (const name of none) library[name] = function() { return 0; };
  mergeInto(LibraryManager.library, library);
})();

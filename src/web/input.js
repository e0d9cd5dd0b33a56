// SPDX-License-Identifier: MIT
// What GLFW does, for one canvas that fills its page: glfw.js makes functions of GLFW of it. Emscripten's own GLFW lacks
// display scales, names of keys, the clipboard, shapes of the cursor and touch, and counts wheels in pixels.
//
// Sizes and places are in pixels of the canvas, which has devicePixelRatio pixels for one of the page.
'use strict';

const LimberPage = {
  user: 0,
  functionOf: null,  // a function of the program by its number
  callbacks: {},
  keys: new Uint8Array(400),
  names: {},  // GLFW key: what it types in the user's layout
  buttons: [0, 0, 0],
  x: 0,
  y: 0,
  touches: new Map(),  // pointerId: place
  pinch: null,
  clipboard: '',
  clipboardText: 0,
  nameText: 0,
  shouldClose: 0,
  focused: 1,
  scale: 1,

  codes: (() => {
    const codes = {
      Space: 32, Quote: 39, Comma: 44, Minus: 45, Period: 46, Slash: 47, Semicolon: 59, Equal: 61, BracketLeft: 91,
      Backslash: 92, BracketRight: 93, Backquote: 96, IntlBackslash: 161, Escape: 256, Enter: 257, Tab: 258,
      Backspace: 259, Insert: 260, Delete: 261, ArrowRight: 262, ArrowLeft: 263, ArrowDown: 264, ArrowUp: 265,
      PageUp: 266, PageDown: 267, Home: 268, End: 269, CapsLock: 280, ScrollLock: 281, NumLock: 282, PrintScreen: 283,
      Pause: 284, NumpadDecimal: 330, NumpadDivide: 331, NumpadMultiply: 332, NumpadSubtract: 333, NumpadAdd: 334,
      NumpadEnter: 335, NumpadEqual: 336, ShiftLeft: 340, ControlLeft: 341, AltLeft: 342, MetaLeft: 343,
      ShiftRight: 344, ControlRight: 345, AltRight: 346, MetaRight: 347, ContextMenu: 348
    };
    for (let i = 0; i < 26; ++i) codes['Key' + String.fromCharCode(65 + i)] = 65 + i;
    for (let i = 0; i < 10; ++i) codes['Digit' + i] = 48 + i, codes['Numpad' + i] = 320 + i;
    for (let i = 1; i <= 25; ++i) codes['F' + i] = 289 + i;
    return codes;
  })(),

  modifiers(event) {
    return (event.shiftKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.altKey ? 4 : 0) | (event.metaKey ? 8 : 0);
  },

  // The keys that are held beside a pointer, of which the page may have missed a press or a release.
  noteHeld(event) {
    const held = [[340, 344, event.shiftKey], [341, 345, event.ctrlKey], [342, 346, event.altKey]];
    for (const [left, right, isHeld] of held) {
      if (!isHeld) LimberPage.keys[left] = LimberPage.keys[right] = 0;
      else if (!LimberPage.keys[right]) LimberPage.keys[left] = 1;
    }
  },

  place(event) {
    const canvas = Module.canvas, box = canvas.getBoundingClientRect();
    LimberPage.x = (event.clientX - box.left) * canvas.width / Math.max(box.width, 1);
    LimberPage.y = (event.clientY - box.top) * canvas.height / Math.max(box.height, 1);
  },

  tell(name, ...values) {
    for (const call of LimberPage.callbacks[name] || []) LimberPage.functionOf(call)(1, ...values);
  },

  button(index, isDown, modifiers) {
    if (LimberPage.buttons[index] === isDown) return;
    LimberPage.buttons[index] = isDown;
    LimberPage.tell('button', index, isDown, modifiers);
  },

  move(event) {
    LimberPage.noteHeld(event);
    LimberPage.place(event);
    LimberPage.tell('cursor', LimberPage.x, LimberPage.y);
  },

  // Two fingers: their middle pans, by the middle button, and their distance zooms, by the wheel.
  pinched() {
    const [a, b] = [...LimberPage.touches.values()];
    return {x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.max(Math.hypot(a.x - b.x, a.y - b.y), 1)};
  },
  moveTo(place) {
    LimberPage.x = place.x;
    LimberPage.y = place.y;
    LimberPage.tell('cursor', place.x, place.y);
  },
  touch(event, kind) {
    LimberPage.place(event);
    const place = {x: LimberPage.x, y: LimberPage.y}, touches = LimberPage.touches;
    if (kind === 'down') {
      touches.set(event.pointerId, place);
      if (touches.size === 1) {
        LimberPage.moveTo(place);
        LimberPage.button(0, 1, 0);
      } else if (touches.size === 2) {
        LimberPage.button(0, 0, 0);
        LimberPage.pinch = LimberPage.pinched();
        LimberPage.moveTo(LimberPage.pinch);
        LimberPage.button(2, 1, 0);
      }
    } else if (kind === 'move' && touches.has(event.pointerId)) {
      touches.set(event.pointerId, place);
      if (LimberPage.pinch && touches.size >= 2) {
        const now = LimberPage.pinched();
        LimberPage.moveTo(now);
        const steps = Math.log(now.distance / LimberPage.pinch.distance) / Math.log(1.1);
        if (Math.abs(steps) > 0.05) {
          LimberPage.tell('scroll', 0, steps);
          LimberPage.pinch = now;
        }
      } else if (touches.size === 1 && !LimberPage.pinch) {
        LimberPage.moveTo(place);
      }
    } else if (kind === 'up') {
      touches.delete(event.pointerId);
      LimberPage.button(2, 0, 0);
      if (touches.size === 0) {
        LimberPage.button(0, 0, 0);
        LimberPage.pinch = null;
      }
    }
  },

  pointer(event, kind) {
    event.preventDefault();
    if (kind === 'down') {
      Module.canvas.focus();
      try {
        Module.canvas.setPointerCapture(event.pointerId);
      } catch (gone) {
      }
    }
    if (event.pointerType === 'touch') return LimberPage.touch(event, kind);
    LimberPage.move(event);
    // A second button, pressed while one is held, comes with an event of movement.
    const isAway = event.type === 'pointercancel';
    for (const [index, bit] of [[0, 1], [1, 2], [2, 4]])
      LimberPage.button(index, !isAway && event.buttons & bit ? 1 : 0, LimberPage.modifiers(event));
  },

  wheel(event) {
    event.preventDefault();
    LimberPage.move(event);
    const perStep = event.deltaMode === 1 ? 3 : event.deltaMode === 2 ? 1 : 100;
    LimberPage.tell('scroll', -event.deltaX / perStep, -event.deltaY / perStep);
  },

  // Keys that the browser keeps: its own window, developer tools, reload; and those for text to paste.
  isOfBrowser(event) {
    const control = event.ctrlKey || event.metaKey;
    return ['F5', 'F11', 'F12'].includes(event.key) || (control && 'rtnwvcxRTNWVCX'.includes(event.key)) ||
        (control && event.shiftKey && 'ijIJ'.includes(event.key));
  },

  key(event, isDown) {
    if (event.isComposing) return;
    const code = LimberPage.codes[event.code] || 0;
    if (!LimberPage.isOfBrowser(event)) event.preventDefault();
    if (!code) return;
    if (event.key.length === 1) LimberPage.names[code] = event.key.toLowerCase();
    LimberPage.keys[code] = isDown;
    LimberPage.tell('key', code, code, isDown ? (event.repeat ? 2 : 1) : 0, LimberPage.modifiers(event));
    const types = isDown && [...event.key].length === 1 && !event.ctrlKey && !event.metaKey;
    if (types) LimberPage.tell('char', event.key.codePointAt(0));
  },

  blur() {
    for (let code = 0; code < LimberPage.keys.length; ++code) {
      if (!LimberPage.keys[code]) continue;
      LimberPage.keys[code] = 0;
      LimberPage.tell('key', code, code, 0, 0);
    }
    for (let index = 0; index < 3; ++index) LimberPage.button(index, 0, 0);
    LimberPage.touches.clear();
    LimberPage.pinch = null;
    LimberPage.focus(0);
  },
  focus(isFocused) {
    LimberPage.focused = isFocused;
    LimberPage.tell('focus', isFocused);
  },

  resize() {
    const canvas = Module.canvas, scale = window.devicePixelRatio || 1;
    const width = Math.max(Math.round(canvas.clientWidth * scale), 1);
    const height = Math.max(Math.round(canvas.clientHeight * scale), 1);
    if (canvas.width === width && canvas.height === height && scale === LimberPage.scale) return;
    LimberPage.scale = scale;
    canvas.width = width;
    canvas.height = height;
    LimberPage.tell('size', width, height);
  },

  async drop(event) {
    event.preventDefault();
    const files = [...event.dataTransfer.files];
    if (!files.length) return;
    const paths = [];
    for (const file of files) paths.push(await Module.keepFile(file));
    const array = _malloc(4 * paths.length), texts = paths.map(path => allocateUTF8(path));
    texts.forEach((text, i) => HEAP32[(array >> 2) + i] = text);
    LimberPage.tell('drop', paths.length, array);
    texts.forEach(text => _free(text));
    _free(array);
  },

  listen() {
    const canvas = Module.canvas, on = (target, name, call) => target.addEventListener(name, call, {passive: false});
    on(canvas, 'pointerdown', event => LimberPage.pointer(event, 'down'));
    on(canvas, 'pointermove', event => LimberPage.pointer(event, 'move'));
    on(canvas, 'pointerup', event => LimberPage.pointer(event, 'up'));
    on(canvas, 'pointercancel', event => LimberPage.pointer(event, 'up'));
    on(canvas, 'wheel', event => LimberPage.wheel(event));
    on(canvas, 'contextmenu', event => event.preventDefault());
    on(window, 'keydown', event => LimberPage.key(event, 1));
    on(window, 'keyup', event => LimberPage.key(event, 0));
    on(window, 'blur', () => LimberPage.blur());
    on(window, 'focus', () => LimberPage.focus(1));
    on(window, 'resize', () => LimberPage.resize());
    on(window, 'dragover', event => event.preventDefault());
    on(window, 'drop', event => LimberPage.drop(event));
    on(window, 'paste', event => {
      const text = event.clipboardData && event.clipboardData.getData('text');
      if (text) LimberPage.clipboard = text;
    });
  },

  // Text for the program; the previous one of the same kind is freed.
  text(old, value) {
    if (old) _free(old);
    return allocateUTF8(value);
  },
  keyName(key) {
    if (!LimberPage.names[key]) return 0;
    return LimberPage.nameText = LimberPage.text(LimberPage.nameText, LimberPage.names[key]);
  },
  readClipboard() {
    return LimberPage.clipboardText = LimberPage.text(LimberPage.clipboardText, LimberPage.clipboard);
  },
  writeClipboard(text) {
    LimberPage.clipboard = text;
    if (navigator.clipboard) navigator.clipboard.writeText(text).catch(() => {});
  },
  setCursor(cursor) {
    const shapes = {
      0x36001: 'default', 0x36002: 'text', 0x36003: 'crosshair', 0x36004: 'pointer', 0x36005: 'ew-resize',
      0x36006: 'ns-resize', 0x36007: 'nwse-resize', 0x36008: 'nesw-resize', 0x36009: 'all-scroll',
      0x3600a: 'not-allowed'
    };
    const shape = shapes[cursor] || 'default';
    if (Module.canvas.style.cursor !== shape) Module.canvas.style.cursor = shape;
  },

  // Dear ImGui calls the callbacks that were there before its own.
  install(name, call) {
    const before = LimberPage.callbacks[name] ? LimberPage.callbacks[name][0] : 0;
    LimberPage.callbacks[name] = call ? [call] : [];
    return before;
  }
};

// SPDX-License-Identifier: MIT
// The page around Limber: it loads the program, keeps files in the browser, and lets them in and out.
//
//   ?example=NAME   opens an example by the name of its file: ?example=carry_a_cup
//   ?open=URL       opens a file of this server, or of another one that allows it (CORS)
//
// The user's folder, /home/web_user, is kept in the browser's database: settings, poses, recovery, and the files that
// were opened and saved. A file that is saved in /home/web_user/files is also downloaded.
'use strict';

const kHome = '/home/web_user', kFiles = kHome + '/files';
const canvas = document.getElementById('canvas'), note = document.getElementById('note');
const asked = new URLSearchParams(location.search);

let isStarted = false, isStoring = false, storesAgain = false;

function say(text, isOver = false) {
  note.textContent = text;
  note.classList.toggle('over', isOver);
}

// Writes the user's folder into the database.
function store() {
  if (!isStarted) return;
  if (isStoring) {
    storesAgain = true;
    return;
  }
  isStoring = true;
  FS.syncfs(false, fault => {
    isStoring = false;
    if (fault) console.warn('Limber: the browser does not keep files: ' + fault);
    document.documentElement.dataset.stored = String(Number(document.documentElement.dataset.stored || 0) + 1);
    if (storesAgain) {
      storesAgain = false;
      store();
    }
  });
}

// The page may end at any time once it is hidden: unsaved work becomes a copy for recovery before.
function keep() {
  if (!isStarted) return;
  ask({do: 'keep'});
  store();
}

function download(path) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([FS.readFile(path)]));
  link.download = path.slice(path.lastIndexOf('/') + 1);
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

async function keepFile(file) {
  const path = kFiles + '/' + file.name.replace(/[/\\]/g, '_');
  FS.writeFile(path, new Uint8Array(await file.arrayBuffer()));
  store();
  return path;
}

function chooseFile(endings) {
  const input = document.createElement('input');
  input.type = 'file';
  input.multiple = true;
  if (endings) input.accept = endings;
  input.onchange = async () => {
    const paths = [];
    for (const file of input.files) paths.push(await keepFile(file));
    if (!paths.length) return;
    const text = allocateUTF8(paths[0]);  // the others are beside it, for what it refers to
    Module._limber_chosen(text);
    Module._free(text);
  };
  input.click();
}

async function fetched(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error('the server answers ' + answer.status);
  const name = decodeURIComponent(new URL(address, location.href).pathname.split('/').pop()) || 'file';
  return {name, bytes: new Uint8Array(await answer.arrayBuffer())};
}

// The file of the address as an argument of the program.
async function openAddress() {
  if (!asked.has('open')) return;
  const address = asked.get('open');
  try {
    const {name, bytes} = await fetched(address);
    const path = kFiles + '/' + name.replace(/[/\\]/g, '_');
    FS.writeFile(path, bytes);
    Module.arguments.push(path);
  } catch (fault) {
    say(address + ' cannot be opened: ' + fault.message + '. Another server must allow it (CORS).', true);
  }
}

// The example of the address; its file is there once everything is loaded.
function openExample() {
  if (!asked.has('example') || asked.has('open')) return;
  const path = '/share/limber/scenes/' + asked.get('example').replace(/[^\w-]/g, '') + '.limber';
  if (FS.analyzePath(path).exists) Module.arguments.push(path);
  else say('There is no example "' + asked.get('example') + '".', true);
}

function prepare() {
  FS.mkdirTree(kHome);
  FS.mount(FS.filesystems.IDBFS, {}, kHome);
  addRunDependency('home');
  FS.syncfs(true, async fault => {
    if (fault) console.warn('Limber: the browser keeps no files: ' + fault);
    FS.mkdirTree(kFiles);
    FS.chdir(kFiles);
    await openAddress();
    removeRunDependency('home');
  });
}

function fileWritten(path) {
  setTimeout(store, 200);
  if (path.startsWith(kFiles + '/')) download(path);
}

// Calls step() before each picture until it returns 0.
function repeat(step) {
  const frame = () => {
    let goesOn = 0;
    try {
      goesOn = step();
    } catch (fault) {
      console.error(fault);
      return Module.end('Limber has stopped: ' + fault);
    }
    if (goesOn) requestAnimationFrame(frame);
    else Module.end('Limber has ended. Reload the page to start it again.');
  };
  requestAnimationFrame(frame);
}

// Asks the program; see src/app/session/page_messages.h.
function ask(message) {
  const text = allocateUTF8(JSON.stringify(message));
  try {
    return JSON.parse(UTF8ToString(Module._limber_ask(text)));
  } finally {
    Module._free(text);
  }
}

// A page that embeds this one in a frame posts {limber: {id, do, ...}} and gets {limber: {id, answer}}. Besides what the
// program answers: {do: "load", name, text} opens a file whose contents are a string or an ArrayBuffer.
function answerFrame(event) {
  const message = event.data && event.data.limber;
  if (!message || event.source !== parent || !isStarted) return;
  const {id, ...asked} = message;
  if (asked.do === 'load') {
    const path = kFiles + '/' + String(asked.name).replace(/[/\\]/g, '_');
    FS.writeFile(path, typeof asked.text === 'string' ? asked.text : new Uint8Array(asked.text));
    parent.postMessage({limber: {id, answer: ask({do: 'open', path})}}, '*');
  } else {
    parent.postMessage({limber: {id, answer: ask(asked)}}, '*');
  }
}

var Module = {
  canvas,
  arguments: ['--quiet'],
  preRun: [prepare],
  ask,
  repeat,
  keepFile,
  chooseFile,
  fileWritten,
  print: text => console.log(text),
  printErr(text) {
    console.warn(text);
    if (text.startsWith('limber: ')) say(text.slice('limber: '.length), true);  // why it does not start
  },
  onRuntimeInitialized() {
    isStarted = true;
    openExample();
    if (!note.classList.contains('over')) say('');
    else setTimeout(() => say(''), 8000);
    canvas.focus();
    if (parent !== window) parent.postMessage({limber: {ready: true}}, '*');
    setInterval(store, 5000);
  },
  onAbort: reason => Module.end('Limber has stopped: ' + reason),
  end(text) {
    store();
    say(text, true);
  },
};

addEventListener('message', answerFrame);
addEventListener('visibilitychange', keep);
addEventListener('beforeunload', event => {
  keep();
  if (document.title.includes('* - Limber')) event.preventDefault();
});

if (!document.createElement('canvas').getContext('webgl2')) {
  say('Limber draws with WebGL 2, which this browser does not offer. Current versions of Firefox, Chrome, Edge and ' +
      'Safari do, unless hardware acceleration is switched off or the graphics driver is blocked.');
} else if (typeof WebAssembly !== 'object' || !WebAssembly.Tag) {
  say('Limber needs exceptions of WebAssembly, which this browser does not offer: Firefox 100, Chrome 95 and Safari ' +
      '15.2 are the first that do.');
} else {
  const script = document.createElement('script');
  script.src = 'limber.js';
  script.onerror = () => say('limber.js could not be loaded.');
  document.body.append(script);
}

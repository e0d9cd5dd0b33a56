// SPDX-License-Identifier: MIT
// Compares the rest positions of FBX files with those of three.js (docs/formats.md, FBX and Collada).
//
//   npm install --prefix /tmp/three three@0.187
//   node tests/research/fbx_positions.mjs /tmp/three build/release/bin/limber FILE...
//
// Prints a line for each file: the largest distance of a node from the nearest one of its name, as a fraction of the
// figure's size. Exits with 1 if a file differs by more than 1e-4, or can be opened only by three.js.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const kMostDifference = 1e-4;
const [folder, limber, ...files] = process.argv.slice(2);
const loaders = path.resolve(folder, 'node_modules/three/examples/jsm/loaders');

// The loader does two things that are not part of a file's rest: it replaces bones by bind poses, and turns the scene.
const source = fs.readFileSync(path.join(loaders, 'FBXLoader.js'), 'utf8');
const replaced = source.replace('const bindPose = bindPoseMatrices[ node.ID ];', 'const bindPose = undefined;')
  .replace('if ( upAxis === 2 )', 'if ( false )');
const patched = path.join(loaders, 'FBXLoader_rest.js');
fs.writeFileSync(patched, replaced);
globalThis.self = globalThis;
globalThis.window = { innerWidth: 1, innerHeight: 1, URL: { createObjectURL: () => '' } };
globalThis.document = { createElementNS: () => ({ addEventListener() {}, removeEventListener() {}, set src(_) {} }) };
console.warn = console.error = () => {};
const { FBXLoader } = await import(pathToFileURL(patched));
const THREE = await import(pathToFileURL(createRequire(path.join(loaders, 'x')).resolve('three')).href
  .replace('three.cjs', 'three.module.js'));

// An integer or real number of GlobalSettings, in text or binary FBX.
function setting(bytes, key, otherwise) {
  const text = bytes.toString('latin1');
  const at = text.indexOf(key, text.indexOf('GlobalSettings'));
  if (at < 0) return otherwise;
  if (!text.startsWith('Kaydara FBX Binary')) return Number(text.slice(at).split('\n')[0].split(',').pop());
  let place = at + key.length;
  while (text[place] === 'S') place += 5 + bytes.readUInt32LE(place + 1);
  return text[place] === 'D' ? bytes.readDoubleLE(place + 1) : bytes.readInt32LE(place + 1);
}

// three.js removes blanks and some characters from names, and both programs make equal names unique.
const plain = (name) => name.replaceAll(' ', '_').replace(/[[\].:/]/g, '');
const withoutNumber = (name) => plain(name.replace(/[_ #]\d+$/, ''));

function positionsOfThree(file) {
  const bytes = fs.readFileSync(file);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const root = new THREE.Group();
  root.add(new FBXLoader().parse(buffer, path.dirname(file) + '/'));
  if (setting(bytes, 'UpAxis', 1) === 2) root.rotation.x = -Math.PI / 2;
  root.updateMatrixWorld(true);
  const metres = 0.01 * setting(bytes, 'UnitScaleFactor', 1);
  const all = new Map();
  root.traverse((node) => {
    const place = new THREE.Vector3().setFromMatrixPosition(node.matrixWorld).multiplyScalar(metres);
    all.set(plain(node.name), [...(all.get(plain(node.name)) ?? []), place.toArray()]);
  });
  const size = new THREE.Box3().setFromObject(root).getSize(new THREE.Vector3()).length() * metres;
  const far = Math.max(...[...all.values()].flat(2).map(Math.abs));
  return { all, size: Math.max(size, far, 1e-9) };
}

function compare(file) {
  const ours = spawnSync(limber, ['fk', file, '--pose', '{}'], { encoding: 'utf8' });
  let theirs;
  try { theirs = positionsOfThree(file); } catch (fault) { theirs = null; }
  if (ours.status !== 0) return [theirs ? 'REFUSED by Limber alone' : 'refused by both', !theirs];
  if (!theirs) return ['not compared: three.js refuses it', true];
  let worst = 0, count = 0;
  for (const link of JSON.parse(ours.stdout).links) {
    const isUnnamed = /^node\d+$/.test(link.name);
    const places = theirs.all.get(plain(link.name)) ?? theirs.all.get(isUnnamed ? '' : withoutNumber(link.name));
    if (!places) continue;
    const distance = (place) => Math.max(...place.map((x, i) => Math.abs(x - link.position[i])));
    worst = Math.max(worst, Math.min(...places.map(distance)) / theirs.size);
    ++count;
  }
  const agrees = count > 0 && worst <= kMostDifference;
  return [`${agrees ? 'agrees' : 'DIFFERS'}: ${worst.toExponential(1)} of the size, ${count} nodes`, agrees];
}

let isGood = true;
for (const file of files) {
  const [sentence, agrees] = compare(file);
  isGood = isGood && agrees;
  console.log(`${path.basename(file)}: ${sentence}`);
}
process.exit(isGood ? 0 : 1);

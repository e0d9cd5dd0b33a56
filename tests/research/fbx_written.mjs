// SPDX-License-Identifier: MIT
// Compares FBX files that Limber wrote with three.js (docs/formats.md, FBX written): each bone, and the box around the
// skin, in one frame of the motion.
//
//   npm install --prefix /tmp/three three@0.187
//   build/release/bin/limber convert AVATAR.vrm /tmp/a.fbx --motion WALK.bvh
//   node tests/research/fbx_written.mjs /tmp/three build/release/bin/limber FRAME /tmp/a.fbx ...
//
// Prints the largest distances in metres; exits with 1 if one is beyond 1e-4.
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const kMostDifference = 1e-4;
const [folder, limber, frame, ...files] = process.argv.slice(2);
const modules = path.resolve(folder, 'node_modules/three');
globalThis.self = globalThis;
globalThis.window = { innerWidth: 1, innerHeight: 1, URL: { createObjectURL: () => '' } };
globalThis.document = { createElementNS: () => ({ addEventListener() {}, removeEventListener() {}, set src(_) {} }) };
console.warn = console.error = () => {};
const { FBXLoader } = await import(pathToFileURL(path.join(modules, 'examples/jsm/loaders/FBXLoader.js')));
const THREE = await import(pathToFileURL(path.join(modules, 'build/three.module.js')));

const run = (...words) => {
  const answer = spawnSync(limber, [...words, '--quiet'], { encoding: 'utf8', maxBuffer: 1 << 28 });
  if (answer.status !== 0) throw new Error(answer.stderr);
  return answer.stdout;
};
const plain = (name) => name.replaceAll(' ', '_').replace(/[[\].:/]/g, '');
const distance = (a, b) => Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z);

// The file as three.js poses it in the frame, metres.
function posed(file, seconds) {
  const bytes = fs.readFileSync(file);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const root = new FBXLoader().parse(buffer, path.dirname(file) + '/');
  const mixer = new THREE.AnimationMixer(root);
  for (const clip of root.animations.slice(0, 1)) mixer.clipAction(clip).play();
  mixer.setTime(seconds);
  root.scale.setScalar(0.01);
  root.updateMatrixWorld(true);
  const bones = new Map();
  const box = new THREE.Box3();
  root.traverse((node) => {
    if (node.isBone) bones.set(node.name, new THREE.Vector3().setFromMatrixPosition(node.matrixWorld));
    if (!node.isSkinnedMesh) return;
    node.skeleton.update();
    const place = new THREE.Vector3();
    for (let i = 0; i < node.geometry.attributes.position.count; ++i) {
      place.fromBufferAttribute(node.geometry.attributes.position, i);
      node.applyBoneTransform(i, place);
      box.expandByPoint(place.applyMatrix4(node.matrixWorld));
    }
  });
  return { bones, box };
}

let isWrong = false;
for (const file of files) {
  const frameTime = JSON.parse(run('info', file, '--json')).motions[0]?.frame_time ?? 0;
  const theirs = posed(file, Number(frame) * frameTime);
  let bones = 0;
  let worst = 0;
  for (const { name, position: [x, y, z] } of JSON.parse(run('fk', file, '--frame', frame)).links) {
    const bone = theirs.bones.get(plain(name));
    if (!bone) continue;
    worst = Math.max(worst, distance(bone, { x, y, z }));
    ++bones;
  }
  let ofSkin = 0;
  if (!theirs.box.isEmpty()) {
    const obj = path.join(fs.mkdtempSync('/tmp/fbx_written_'), 'a.obj');
    run('convert', file, obj, '--frame', frame);
    const box = new THREE.Box3();
    for (const line of fs.readFileSync(obj, 'utf8').split('\n'))
      if (line.startsWith('v ')) box.expandByPoint(new THREE.Vector3(...line.split(' ').slice(1).map(Number)));
    ofSkin = Math.max(distance(box.min, theirs.box.min), distance(box.max, theirs.box.max));
  }
  console.log(`${file}: ${bones} bones within ${worst.toExponential(1)}, box of the skin within ${ofSkin.toExponential(1)}`);
  isWrong ||= bones === 0 || worst > kMostDifference || ofSkin > kMostDifference;
}
process.exit(isWrong ? 1 : 0);

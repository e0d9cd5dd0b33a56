// SPDX-License-Identifier: MIT
// Moves a hand of the humanoid by `limber serve`, without any library. Usage: node serve_client.mjs [LIMBER]
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

class Limber {
  constructor(program = "limber") {
    this.process = spawn(program, ["serve"], { stdio: ["pipe", "pipe", "inherit"] });
    this.lines = createInterface({ input: this.process.stdout })[Symbol.asyncIterator]();
  }
  async ask(request) {
    this.process.stdin.write(JSON.stringify(request) + "\n");
    const answer = JSON.parse((await this.lines.next()).value);
    if ("error" in answer) throw new Error(answer.error);
    return answer;
  }
  close() {
    this.process.stdin.end();
  }
}

const limber = new Limber(...process.argv.slice(2, 3));
await limber.ask({ hello: 1 });
await limber.ask({
  open: "anna", figure: "humanoid", pins: [{ link: "left_foot" }, { link: "right_foot" }], keeps_balance: true,
  joints: { pelvis: { locked: false } },
  goals: [{ name: "hand", site: "left_palm", target: [0.3, 1.2, 0.4] }],
});
for (let i = 0; i < 5; ++i) {
  const angle = (2 * Math.PI * i) / 5;
  const target = [0.3 + 0.1 * Math.cos(angle), 1.2 + 0.1 * Math.sin(angle), 0.4];
  const answer = await limber.ask({ solve: "anna", goals: { hand: { target } } });
  console.log(answer.outcome, "elbow", answer.pose["left_elbow_flexion"].toFixed(3));
}
limber.close();

# SPDX-License-Identifier: MIT
"""Moves a hand of the humanoid by `limber serve`, without any library. Usage: serve_client.py [LIMBER]"""
import json
import math
import subprocess
import sys


class Limber:
    def __init__(self, program="limber"):
        self.process = subprocess.Popen([program, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request).encode() + b"\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise ValueError(answer["error"])
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


limber = Limber(*sys.argv[1:])
limber.ask(hello=1)
limber.ask(open="anna", figure="humanoid", pins=[{"link": "left_foot"}, {"link": "right_foot"}], keeps_balance=True,
           joints={"pelvis": {"locked": False}},
           goals=[{"name": "hand", "site": "left_palm", "target": [0.3, 1.2, 0.4]}])
for i in range(5):
    angle = 2 * math.pi * i / 5
    target = [0.3 + 0.1 * math.cos(angle), 1.2 + 0.1 * math.sin(angle), 0.4]
    answer = limber.ask(solve="anna", goals={"hand": {"target": target}})
    print(answer["outcome"], "elbow", round(answer["pose"]["left_elbow_flexion"], 3))
limber.close()

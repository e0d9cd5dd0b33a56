# SPDX-License-Identifier: MIT
"""Tests limber serve as other programs use it: over pipes and over a Unix socket, also with clients that misbehave.

Usage: serve.py SOURCE LIMBER
"""
import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time
import unittest

LIMBER, SOURCE = os.path.abspath(sys.argv.pop()), os.path.abspath(sys.argv.pop())
CHAIN = {"open": "chain", "figure": "planar:4", "goals": [{"name": "tip", "target": [3, 1, 0]}]}
PATIENCE = 60  # seconds, for a busy machine


class Piped:
    """A server over pipes."""

    def __init__(self, *options):
        self.process = subprocess.Popen([LIMBER, "serve", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE)

    def ask(self, request):
        line = request if isinstance(request, bytes) else json.dumps(request).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self):
        """Closes the input; returns the exit code and the text on standard error."""
        _, said = self.process.communicate(timeout=PATIENCE)
        return self.process.returncode, said.decode()


class ServeOverPipes(unittest.TestCase):
    def serve(self, *options):
        server = Piped(*options)
        self.addCleanup(server.process.communicate)
        self.addCleanup(server.process.kill)
        return server

    def test_each_line_is_answered_before_the_next_is_sent(self):
        server = self.serve()
        self.assertEqual(server.ask({"id": 0, "hello": 1})["hello"], 1)
        self.assertEqual(server.ask(dict(CHAIN, id=1))["id"], 1)
        for i in range(20):
            answer = server.ask({"id": i, "solve": "chain", "goals": {"tip": {"target": [3, 0.05 * i, 0]}}})
            self.assertEqual((answer["id"], answer["outcome"]), (i, "reached"))
        self.assertEqual(server.end(), (0, ""))

    def test_all_lines_that_came_before_the_end_are_answered(self):
        lines = [CHAIN] + [{"id": i, "solve": "chain"} for i in range(500)]
        text = "\n".join(map(json.dumps, lines))  # the last line has no newline
        done = subprocess.run([LIMBER, "serve"], input=text, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([answer["id"] for answer in answers], [None] + list(range(500)))

    def test_bad_lines_are_answered_and_the_next_is_served(self):
        server = self.serve()
        server.ask(CHAIN)
        for line in (b"{", b"\xff\xfe\x00", b"[" * 100000, b'{"solve": "chain", "goals": {"tip": {"target": [1e999, 0, 0]}}}',
                     b'{"id": 1, "id": 2}', b"\x00", json.dumps({"open": "x" * 300, "figure": "arm"}).encode()):
            self.assertIn("error", server.ask(line), line[:40])
        self.assertEqual(server.ask({"solve": "chain"})["outcome"], "reached")
        self.assertEqual(server.end(), (0, ""))

    def test_a_line_of_100_MB_is_refused_and_not_kept(self):
        server = self.serve()
        for _ in range(100):
            server.process.stdin.write(b"x" * 1000000)
        self.assertEqual(server.ask(b"")["error"], "the line is longer than 4 MB")
        self.assertEqual(server.ask({"hello": 1})["hello"], 1)
        if os.path.exists("/proc/self/status"):
            with open(f"/proc/{server.process.pid}/status") as status:
                peak = next(line for line in status if line.startswith("VmHWM"))
            self.assertLess(int(peak.split()[1]), 100000, "kB")
        self.assertEqual(server.end(), (0, ""))

    def test_of_10_000_figures_those_within_the_bound_are_open(self):
        lines = [{"id": i, "open": f"figure {i}", "figure": "planar:2"} for i in range(10000)]
        text = "\n".join(map(json.dumps, lines)) + '\n{"hello": 1}\n'
        done = subprocess.run([LIMBER, "serve", "--figures", "700"], input=text, capture_output=True, text=True,
                              timeout=PATIENCE)
        answers = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual((done.returncode, done.stderr, len(answers)), (0, "", 10001))
        self.assertTrue(all("error" not in answer for answer in answers[:700]))
        self.assertEqual({answer["error"] for answer in answers[700:10000]},
                         {"open: 700 figures are open, which is the limit (--figures)"})
        self.assertEqual(answers[-1]["hello"], 1)

    def test_memory_is_bounded(self):
        with open(LIMBER, "rb") as program:
            if b"__asan_init" in program.read():
                self.skipTest("an address sanitizer takes memory of its own")
        server = self.serve("--memory", "300")
        answers = [server.ask({"open": f"large {i}", "figure": "planar:30000"}) for i in range(40)]
        faults = [answer["error"] for answer in answers if "error" in answer]
        self.assertIn("there is not enough memory for this", faults)
        self.assertLess(len(faults), 40)
        for i in range(40):
            server.ask({"close": f"large {i}"})
        server.ask(CHAIN)
        self.assertEqual(server.ask({"solve": "chain"})["outcome"], "reached")
        self.assertEqual(server.end(), (0, ""))

    def test_a_reader_that_has_gone_ends_it_quietly(self):
        server = self.serve()
        server.ask(CHAIN)
        server.process.stdout.close()
        server.process.stdin.write(b'{"solve": "chain"}\n')
        server.process.stdin.flush()
        self.assertEqual(server.process.wait(PATIENCE), 0)
        self.assertEqual(server.process.stderr.read(), b"")

    def test_an_output_that_is_full_is_told(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("there is no /dev/full")
        with open("/dev/full", "w") as full:
            done = subprocess.run([LIMBER, "serve"], input=b'{"hello": 1}\n', stdout=full, stderr=subprocess.PIPE,
                                  timeout=PATIENCE)
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr, b"limber serve: the output could not be written: the disk is full\n")

    def test_pipes_and_devices_are_refused_at_once(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        fifo = os.path.join(folder.name, "figure.urdf")
        os.mkfifo(fifo)
        server = self.serve()
        for figure in (fifo, "/dev/stdin", "/dev/fd/0", "/dev/zero", "/dev/tty"):
            self.assertIn(figure + ": ", server.ask({"open": "x", "figure": figure})["error"])
        self.assertEqual(server.ask({"hello": 1})["hello"], 1)
        server.process.terminate()
        self.assertEqual(server.process.wait(PATIENCE), 0)

    def test_with_a_root_nothing_outside_is_opened_or_revealed(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root, secret = os.path.join(folder.name, "root"), os.path.join(folder.name, "secret.json")
        os.mkdir(root)
        with open(secret, "w") as file:
            file.write('{"figure": "arm", "api_key": 1}')
        os.symlink(secret, os.path.join(root, "link.json"))
        shutil.copy(os.path.join(SOURCE, "resources/figures/body.json"), os.path.join(root, "arm.json"))
        server = self.serve("--root", root)
        answers = set()
        for figure in (secret, secret + ".none", root + "/../secret.json", root + "/link.json", "/etc/passwd"):
            error = server.ask({"open": "x", "figure": figure})["error"]
            answers.add(error.replace(figure, "FIGURE"))
        self.assertEqual(len(answers), 1, answers)  # an error does not say whether the file exists
        self.assertIn("--root", answers.pop())
        for figure in (root + "/arm.json", "humanoid", "human"):
            self.assertNotIn("error", server.ask({"open": figure, "figure": figure}))
        self.assertEqual(server.end(), (0, ""))

    def test_a_root_that_is_no_folder_is_told(self):
        done = subprocess.run([LIMBER, "serve", "--root", "/none"], input="", capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (1, "limber serve: /none: --root: is not a folder\n"))

    def test_signals_end_it(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            server = self.serve()
            server.ask({"hello": 1})
            server.process.send_signal(number)
            self.assertEqual(server.process.wait(PATIENCE), 0)
            self.assertEqual(server.process.stderr.read(), b"")


@unittest.skipUnless(hasattr(socket, "AF_UNIX"), "there are no Unix sockets")
class ServeOverASocket(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "limber.sock")

    def serve(self, *options):
        process = subprocess.Popen([LIMBER, "serve", "--socket", self.path, *options], stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        self.assertEqual(process.stderr.readline().decode(), f"limber serve: listening at {self.path}\n")
        return process

    def connect(self):
        client = socket.socket(socket.AF_UNIX)
        client.settimeout(PATIENCE)
        client.connect(self.path)
        self.addCleanup(client.close)
        return client, client.makefile("rw")

    @staticmethod
    def ask(lines, request):
        lines.write(json.dumps(request) + "\n")
        lines.flush()
        return json.loads(lines.readline())

    def test_clients_have_figures_of_their_own(self):
        process = self.serve("--figures", "2")
        (_, first), (_, second) = self.connect(), self.connect()
        self.assertNotIn("error", self.ask(first, CHAIN))
        self.assertNotIn("error", self.ask(second, CHAIN))
        self.assertIn("2 figures are open", self.ask(first, dict(CHAIN, open="more"))["error"])
        self.assertEqual(self.ask(first, {"close": "chain"})["close"], "chain")
        self.assertEqual(self.ask(second, {"solve": "chain"})["outcome"], "reached")
        process.terminate()
        self.assertEqual(process.wait(PATIENCE), 0)
        self.assertFalse(os.path.exists(self.path))

    def test_a_client_that_hangs_up_gives_back_its_figures(self):
        self.serve("--figures", "1")
        client, lines = self.connect()
        self.ask(lines, CHAIN)
        client.sendall(b'{"solve": "chain"}\n{"solve": ')
        lines.close()
        client.close()
        _, other = self.connect()
        deadline = time.monotonic() + PATIENCE
        while "error" in (answer := self.ask(other, CHAIN)) and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertNotIn("error", answer)

    def test_a_client_that_does_not_read_holds_up_no_other(self):
        self.serve()
        client, lines = self.connect()
        self.ask(lines, CHAIN)
        client.settimeout(2)
        request = b'{"solve": "chain"}\n' * 1000
        with self.assertRaises(TimeoutError):  # the server stops reading if the client does not read answers
            for _ in range(10000):
                client.sendall(request)
        _, other = self.connect()
        self.ask(other, CHAIN)
        self.assertEqual(self.ask(other, {"solve": "chain"})["outcome"], "reached")

    def test_an_idle_client_gives_way_to_one_that_waits(self):
        self.serve("--idle", "1")
        idle = [self.connect() for _ in range(16)]
        for _, lines in idle[1:]:
            self.ask(lines, {"hello": 1})
        _, other = self.connect()
        self.assertEqual(self.ask(other, {"hello": 1})["hello"], 1)
        self.assertIn("idle", json.loads(idle[0][1].readline())["error"])
        self.assertEqual(idle[0][1].readline(), "")
        self.assertEqual(self.ask(idle[1][1], {"hello": 1})["hello"], 1)  # the others stay

    def test_a_socket_that_another_server_has_replaced_stays(self):
        first = self.serve()
        os.unlink(self.path)
        self.serve()
        first.terminate()
        self.assertEqual(first.wait(PATIENCE), 0)
        _, lines = self.connect()
        self.assertEqual(self.ask(lines, {"hello": 1})["hello"], 1)

    def test_the_socket_is_its_users_alone(self):
        self.serve()
        mode = os.stat(self.path).st_mode
        self.assertTrue(stat.S_ISSOCK(mode))
        self.assertEqual(stat.S_IMODE(mode), 0o600)

    def refusal(self, path):
        done = subprocess.run([LIMBER, "serve", "--socket", path], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual(done.returncode, 1)
        return done.stderr

    def test_a_socket_that_is_in_use_stays_and_one_left_behind_is_replaced(self):
        process = self.serve()
        self.assertEqual(self.refusal(self.path), f"limber serve: {self.path}: is there already\n")
        process.kill()
        process.wait()
        self.assertTrue(os.path.exists(self.path))
        self.serve()
        _, lines = self.connect()
        self.assertEqual(self.ask(lines, {"hello": 1})["hello"], 1)

    def test_paths_that_cannot_be_sockets_are_told(self):
        with open(self.path, "w") as file:
            file.write("not a socket")
        self.assertIn("is there already", self.refusal(self.path))
        with open(self.path) as file:
            self.assertEqual(file.read(), "not a socket")
        self.assertIn("is too long for a socket", self.refusal("/tmp/" + "x" * 200))
        self.assertIn("there is no such file or folder", self.refusal(self.path + ".d/limber.sock"))


class ServeExamples(unittest.TestCase):
    """docs/example/serve_client.py and .mjs print the same positions, and need no libraries."""

    def run_example(self, *command):
        done = subprocess.run([*command, LIMBER], capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_python(self):
        said = self.run_example(sys.executable, "-B", os.path.join(SOURCE, "docs/example/serve_client.py"))
        self.assertEqual(said.count("reached"), 5, said)

    def test_javascript(self):
        node = shutil.which("node")
        if not node:
            self.skipTest("Node.js is not installed")
        said = self.run_example(node, os.path.join(SOURCE, "docs/example/serve_client.mjs"))
        self.assertEqual(said.count("reached"), 5, said)


if __name__ == "__main__":
    unittest.main()

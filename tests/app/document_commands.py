# SPDX-License-Identifier: MIT
"""Runs the commands of README.md and docs/ unchanged and in order, as a reader would who begins with an empty folder.

Usage: document_commands.py SOURCE LIMBER

Each document gets a new folder and a new home. The folder contains only the parts of a checkout that commands name,
resources/ and build/release/bin. A command is a line of a code block: each line of a block marked sh; in a block
without a language, each line if one begins with a program of PROGRAM. Each line runs in its own shell. Commands that
open the window do so on an Xvfb.

Commands that are not run are still checked: the options of a synopsis (limber info FILE), of a command in the running
text and of a command in LEFT_OUT must be known to the program or the script, and a filter must match tests or
benchmarks.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections import namedtuple

# Program -> why its commands are not run. An entry that no document needs is an error.
LEFT_OUT = {
    "scripts/run": "builds the program and opens its window",
    "scripts/test": "builds and runs every test",
    "scripts/package": "builds the Debian packages, which the test package does",
    "scripts/tarball": "builds an archive of the program",
    "scripts/web": "builds the page for browsers with other packages",
    "scripts/test-everywhere": "tests the builds for other systems",
    "scripts/bench": "builds, and measures for minutes",
    "scripts/experiments": "builds, and computes for minutes",
    "scripts/format": "changes the sources",
    "scripts/tidy": "reads the whole library for minutes",
    "tests/research/random_ways.py": "computes for minutes",
    "app_tests": "runs as tests of its own",
    "examples_tests": "takes minutes with so many problems, and runs with fewer as tests of its own",
    "limber_benchmarks": "measures for minutes",
}
# How programs that take a filter list what it matches.
LISTING = {"limber_benchmarks": "--benchmark_list_tests", "app_tests": "--gtest_list_tests",
           "examples_tests": "--gtest_list_tests", "scene_tests": "--gtest_list_tests"}

ASSIGNMENTS = r"(?:\w+=\S+ )*"
PROGRAM = re.compile(ASSIGNMENTS + r"(?:limber\w*|(?:build|scripts)/\S+|\./\S+|cmake|ctest|git|python3|sudo|echo|printf|"
                     r"mkdir|cp|mv)(?: |$)")
SHELLS = ("sh", "bash", "shell", "console")
IN_TEXT = re.compile(r"`((?:limber(?:_\w+)?|build/release/bin/\w+|scripts/\w+)(?: [^`]+)?)`")
OPTION = re.compile(r"(?:^|(?<=[\s\[|(]))(?:--[a-z][a-z_-]*|-[a-z])(?![\w-])")
SECONDS = 120  # limit for one command, also in a debug build
FRAMES = 5  # of each kind in a measurement, instead of the document's number

Command = namedtuple("Command", "line text")


def documents(source):
    yield "README.md"
    for folder, _, names in sorted(os.walk(os.path.join(source, "docs"))):
        yield from sorted(os.path.relpath(os.path.join(folder, name), source) for name in names if name.endswith(".md"))


def parted(text):
    """Code blocks, each as its language and numbered lines (an empty line ends an indented block), and other lines."""
    blocks, prose, language = [], [], None  # the language is None outside a fence
    indented = False
    for number, line in enumerate(text.splitlines(), 1):
        fence = re.match(r" *```(\w*)", line)
        if fence:
            language = fence.group(1) if language is None else None
            blocks.append((language or "", []))
            indented = False
        elif language is not None:
            blocks[-1][1].append((number, line))
        elif line.startswith("    "):
            if not indented:
                blocks.append(("", []))
            blocks[-1][1].append((number, line[4:]))
            indented = True
        else:
            prose.append((number, line))
            indented = False
    return blocks, prose


def commands_of(language, lines):
    """The commands of a block; a line that is indented, or that follows a backslash, continues the one before it."""
    if language not in SHELLS and (language or not any(PROGRAM.match(line) for _, line in lines)):
        return []
    commands = []
    for number, line in lines:
        if commands and (line.startswith(" ") or commands[-1].text.endswith("\\")):
            commands[-1] = Command(commands[-1].line, commands[-1].text.removesuffix("\\") + " " + line.strip())
        elif line.strip() and not line.startswith("#"):
            commands.append(Command(number, line.removeprefix("$ ")))
    return commands


def without_comment(text):
    """The command without comments, to which an option can be added."""
    return re.sub(r"\s+#\s.*", "", text)


def program_of(text):
    words = re.sub("^" + ASSIGNMENTS, "", text).split()
    is_test = words[0] == "python3" and words[1:] and words[1].startswith("tests/")
    return words[1] if is_test else words[0].removeprefix("build/release/bin/")


def synopsis_of(text):
    """The part of a line that is a synopsis, without explanations; empty for a command that could be run."""
    part = re.split(r"\s{2,}(?![\[-])", without_comment(text))[0]
    bare = re.sub(r"'[^']*'|\"[^\"]*\"", "", re.sub("^" + ASSIGNMENTS, "", part))
    return part if re.search(r"[\[|]-|\b[A-Z]{2,}\b", bare) and program_of(text) == "limber" else ""


class Reader:
    """Follows the documents, and collects errors."""

    def __init__(self, source, limber):
        self.source, self.limber = source, os.path.abspath(limber)
        self.bin = os.path.dirname(self.limber)
        self.complaints, self.used, self.help = [], set(), {}
        self.ran = self.left = self.checked = 0

    def complain(self, document, line, text, why):
        self.complaints.append(f"{document}:{line}: {text}\n" + "".join(f"    {one}\n" for one in why.splitlines()))

    def help_of(self, program, words):
        """The text that names its options; None if there is no such program or verb."""
        if program != "limber":
            path = os.path.join(self.source, program)
            return open(path, encoding="utf-8").read() if os.path.exists(path) else None
        verb = [words[0]] if words and re.fullmatch("[a-z]+", words[0]) else []
        asked = subprocess.run([self.limber, *verb, "--help"], capture_output=True, text=True)
        known = not verb or f"limber {verb[0]} " in asked.stdout
        return asked.stdout if known else None

    def check(self, document, line, text):
        """Checks that programs, verbs, options and filters exist, as far as possible without running the command."""
        program = program_of(text)
        words = re.sub("^" + ASSIGNMENTS, "", text).split()[1:]
        if program in LISTING:
            self.check_filter(document, line, text, program)
        elif program == "limber" or program.startswith(("scripts/", "tests/")):
            key = (program, words[0] if words else "")
            if key not in self.help:
                self.help[key] = self.help_of(program, words)
            if self.help[key] is None:
                self.complain(document, line, text, "there is no such verb or script")
                return
            for option in OPTION.findall(" ".join(words)):
                if not re.search(rf"(?<![\w-]){option}(?![\w-])", self.help[key]):
                    self.complain(document, line, text, f"{option} is no option of it")
        else:
            return
        self.checked += 1

    def check_filter(self, document, line, text, program):
        path = os.path.join(self.bin, program)
        if not os.path.exists(path):
            print(f"{document}:{line}: {program} is not built; its filter is not checked")
            return
        command = re.sub("^" + ASSIGNMENTS + r"\S+", path, text)
        listed = subprocess.run(["bash", "-c", f"{command} {LISTING[program]}"], capture_output=True, text=True)
        if listed.returncode != 0 or not re.search(r"^(?!Running main)\s*\S", listed.stdout, re.MULTILINE):
            self.complain(document, line, text, "the filter matches nothing\n" + listed.stderr)

    def environment(self, home):
        """The environment of a user without settings, and without a display, so that verbs that need one fail."""
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith("XDG_") and name not in ("DISPLAY", "WAYLAND_DISPLAY")}
        kept.update(HOME=home, PATH=self.bin + os.pathsep + os.environ["PATH"])
        for kind in ("CONFIG", "DATA", "STATE", "CACHE"):
            kept[f"XDG_{kind}_HOME"] = os.path.join(home, kind.lower())
            os.makedirs(kept[f"XDG_{kind}_HOME"], exist_ok=True)
        return kept

    def run(self, folder, environment, display, document, command):
        """Runs a command; true if the commands after it can be run."""
        text = without_comment(command.text)
        if program_of(text) == "limber" and re.search(r" --(record|measure)\b", text):
            if not display:
                print(f"{document}:{command.line}: not run, nor what follows it there: Xvfb is not installed")
                return False
            environment = dict(environment, DISPLAY=display)
            if "--measure" not in text:
                text += " --measure 1"  # otherwise the window would stay open
            # Fewer frames test the same, and are drawn by a software renderer.
            text = re.sub(r"--measure \d+", f"--measure {FRAMES}", text)
        self.ran += 1
        try:
            done = subprocess.run(["bash", "-o", "pipefail", "-c", text], cwd=folder, env=environment, timeout=SECONDS,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
        except subprocess.TimeoutExpired:
            self.complain(document, command.line, text, f"took more than {SECONDS} s")
            return True
        if done.returncode != 0:
            self.complain(document, command.line, text,
                          f"exit code {done.returncode}\n{done.stderr.strip() or done.stdout.strip()[-2000:]}")
        return True

    def read(self, document, display):
        with open(os.path.join(self.source, document), encoding="utf-8") as file:
            blocks, prose = parted(file.read())
        for line, text in prose:
            for mentioned in IN_TEXT.findall(text.replace("\\|", "|")):
                self.check(document, line, mentioned)
        to_run = []
        for command in (command for block in blocks for command in commands_of(*block)):
            program = program_of(command.text)
            if program in LEFT_OUT:
                self.used.add(program)
                self.left += 1
                self.check(document, command.line, without_comment(command.text))
            elif synopsis := synopsis_of(command.text):
                self.check(document, command.line, synopsis)
            else:
                to_run.append(command)
        if not to_run:
            return
        with tempfile.TemporaryDirectory(prefix="limber_document_") as parent:
            folder, home = os.path.join(parent, "checkout"), os.path.join(parent, "home")
            environment = self.environment(home)
            # Copied, so that no command can change the sources.
            shutil.copytree(os.path.join(self.source, "resources"), os.path.join(folder, "resources"))
            os.makedirs(os.path.join(folder, "build", "release"))
            os.symlink(self.bin, os.path.join(folder, "build", "release", "bin"))
            for command in to_run:
                if not self.run(folder, environment, display, document, command):
                    break


def start_display():
    """An Xvfb and its name; neither if it is not installed."""
    if not shutil.which("Xvfb"):
        return None, ""
    end, other = os.pipe()
    server = subprocess.Popen(["Xvfb", "-noreset", "-displayfd", str(other), "-screen", "0", "1280x800x24",
                               "-nolisten", "tcp"], pass_fds=[other], stderr=subprocess.DEVNULL)
    os.close(other)
    with os.fdopen(end) as number:
        name = number.readline().strip()
    return server, name and ":" + name


def main(source, limber):
    reader = Reader(source, limber)
    server, display = start_display()
    try:
        for document in documents(source):
            reader.read(document, display)
    finally:
        if server:
            server.terminate()
            server.wait()
    for program in sorted(set(LEFT_OUT) - reader.used):
        reader.complaints.append(f"LEFT_OUT names {program}, which no document does\n")
    for program in sorted(reader.used):
        print(f"left out: {program}, since it {LEFT_OUT[program]}")
    print(f"{reader.ran} commands ran, {reader.left} were left out; {reader.checked} have options that were looked up")
    sys.exit("\n" + "\n".join(reader.complaints) if reader.complaints else 0)


main(*sys.argv[1:])

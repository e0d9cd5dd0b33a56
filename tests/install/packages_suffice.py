# SPDX-License-Identifier: MIT
"""Checks without an empty machine that scripts/prepare installs everything that the build reads.

Every input of the build outside the tree, as ninja knows it, belongs to a package that apt would install for
scripts/prepare's list on a system that has nothing. Any other owner is named: the build would fail where that package
happens not to be installed. The program and the core are held to the list of the build alone, the tests and benchmarks
also to the packages of the tests and of the other libraries they compare with.

Usage: packages_suffice.py SOURCE BUILD COMPILER
Where the question cannot be asked (no apt, no dpkg, no lists, another compiler than the list's), it says SKIPPED: why.
"""
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile

PROGRAM = ["bin/limber", "limber_share", "limber_core"]


def skip(reason):
    print(f"SKIPPED: {reason}")
    sys.exit(0)


def output(*command):
    environment = dict(os.environ, LC_ALL="C")
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)[:200]}: {done.stdout}{done.stderr}")
    return done.stdout


def installed_by(packages):
    """The given packages, and those that apt would install with them on an empty system."""
    with tempfile.NamedTemporaryFile() as empty:
        lines = output("apt-get", "-s", "-o", f"Dir::State::status={empty.name}", "-o", "Debug::NoLocking=1", "install",
                       "--no-install-recommends", *packages)
    return {re.sub(":.*", "", line.split()[1]) for line in lines.splitlines() if line.startswith("Inst ")}


def headers_by_output(build):
    """Output -> the files that the compiler read for it, for everything that was compiled."""
    headers, current = {}, []
    for line in output("ninja", "-C", build, "-t", "deps").splitlines():
        if line.startswith("    "):
            current.append(line.strip())
        elif ": #deps" in line:
            current = headers.setdefault(line.split(": #deps")[0], [])
    return headers


def inputs_of(build, targets, headers):
    """The files from which the targets are made, directly or indirectly, outside the source and build trees."""
    lines = output("ninja", "-C", build, "-t", "inputs", *targets).splitlines()
    inputs = [line for line in lines if not line.startswith("ninja:")]
    return inputs + [header for made in inputs for header in headers.get(made, [])]


def outside(paths, build, trees):
    real = functools.cache(os.path.realpath)  # cached, because many files share few folders
    named = set()
    for path in set(paths):
        folder, name = os.path.split(os.path.join(build, path))
        path = os.path.join(real(folder), name)  # not resolved, because a link to a library belongs to a package itself
        if not any(path == tree or path.startswith(tree + "/") for tree in trees) and os.path.isfile(path):
            named.add(path)
    return named


def spellings(path):
    """The path, the path before /usr was merged, and the target of a link that no package owns (alternatives)."""
    for one in dict.fromkeys((path, os.path.realpath(path))):
        yield one
        yield one.removeprefix("/usr") if one.startswith("/usr/lib") else "/usr" + one


def owners(paths):
    """Path -> the packages that own it; none if no package installed it."""
    asked = sorted({spelling for path in paths for spelling in spellings(path)})
    owned = {}
    for i in range(0, len(asked), 2000):
        found = subprocess.run(["dpkg-query", "--search", *asked[i:i + 2000]], capture_output=True, text=True,
                               env=dict(os.environ, LC_ALL="C")).stdout  # exit code: some have no owner
        for line in found.splitlines():
            packages, _, path = line.partition(": ")
            if not line.startswith("diversion by"):
                owned[path] = {re.sub(":.*", "", package) for package in packages.split(", ")}
    return {path: next((owned[one] for one in spellings(path) if one in owned), set()) for path in paths}


def missing_of(what, owned, packages):
    """Prints the owners that are not among the packages, with a file of each; returns their names."""
    strangers = {}
    for path, names in owned.items():
        if names and not names & packages:
            strangers.setdefault(sorted(names)[0], path)
    for name, path in sorted(strangers.items()):
        print(f"{what} reads {path} of the package {name}, which scripts/prepare does not install")
    return set(strangers)


def main(source, build, compiler):
    for tool in ("apt-get", "dpkg-query", "ninja"):
        if not shutil.which(tool):
            skip(f"{tool} is not installed")
    indices = output("apt-get", "indextargets", "--format", "$(FILENAME)", "Created-By: Packages").split()
    if not any(os.path.exists(index + suffix) for index in indices for suffix in ("", ".lz4", ".gz", ".xz", ".zst")):
        skip("apt has no package lists (apt-get update)")
    if not os.path.exists(os.path.join(build, ".ninja_deps")):
        skip("nothing was built by ninja")
    if tuple(map(int, output("ninja", "--version").split(".")[:2])) < (1, 11):
        skip("ninja older than 1.11 does not tell inputs")

    prepare = os.path.join(source, "scripts", "prepare")
    packages = installed_by(output(prepare, "--list").split())
    of_tests = packages | installed_by(output(prepare, "--list", "tests", "peers").split())
    if not owners([os.path.realpath(compiler)])[os.path.realpath(compiler)] & packages:
        skip(f"{compiler} is not the compiler that scripts/prepare installs, and reads files of its own")

    trees = [os.path.realpath(source), os.path.realpath(build)]
    headers = headers_by_output(build)
    program = owners(outside(inputs_of(build, PROGRAM, headers), build, trees))
    every = owners(outside(inputs_of(build, ["all"], headers), build, trees))
    print(f"{len(program)} files outside the tree make the program, {len(every)} all targets")
    for path in sorted(path for path, names in every.items() if not names):
        print(f"left out, since it belongs to no package: {path}")
    missing = missing_of("the program", program, packages) | missing_of("a test", every, of_tests)
    if missing:
        sys.exit(f"missing in the list of scripts/prepare: {' '.join(sorted(missing))}")


main(*sys.argv[1:])

# SPDX-License-Identifier: MIT
"""The type stubs agree with the module, and the examples with the stubs.

Usage: stubs_test.py SOURCE PACKAGE_FOLDER. Exits with 77 if mypy or NumPy is missing."""
import glob
import os
import subprocess
import sys

try:
    import mypy  # noqa: F401
    import numpy  # noqa: F401
except ImportError as missing:
    print("SKIPPED:", missing)
    sys.exit(77)

source, package = sys.argv[1:3]
environment = dict(os.environ, PYTHONPATH=package, MYPYPATH=package, MYPY_CACHE_DIR=os.devnull)

# Classes of pybind11 have their own metaclass, and constructors that accept all arguments and then throw.
OF_PYBIND11 = ("metaclass differs", ".__init__ is inconsistent")
stubs = subprocess.run([sys.executable, "-B", "-m", "mypy.stubtest", "limber._limber"], cwd=package, env=environment,
                       capture_output=True, text=True)
wrong = [line for line in stubs.stdout.splitlines()
         if line.startswith("error:") and not any(known in line for known in OF_PYBIND11)]
print("\n".join(wrong), stubs.stderr)

examples = sorted(glob.glob(os.path.join(source, "docs", "example", "python", "*.py")))
checked = subprocess.run([sys.executable, "-B", "-m", "mypy", "--strict", "--ignore-missing-imports",
                          "--follow-imports=silent", "--python-executable", sys.executable, *examples],
                         cwd=package, env=environment, capture_output=True, text=True)
print(checked.stdout, checked.stderr)
sys.exit(1 if wrong or "limber._limber" not in stubs.stdout or checked.returncode else 0)

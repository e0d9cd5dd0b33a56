# SPDX-License-Identifier: MIT
"""Fits a figure to every clip of a corpus, spread by Dask over the cores of one machine or of many (docs/cluster.md).

Each clip is one `limber fit` in a child process. Started again, it fits only what is missing. A clip that cannot be
fitted is named at the end, with the reason, and is no other's affair; the exit code is then 1.
"""
import argparse
import json
import os
import subprocess
import sys
import time

from distributed import Client, LocalCluster, as_completed


def fit(limber, figure, clip, out):
    """The report of `limber fit`, {"kept": True} where the clip has been fitted before, or {"error": why}."""
    if os.path.exists(out):
        return {"kept": True}  # complete, because limber writes files atomically
    done = subprocess.run([limber, "fit", figure, clip, "--out", out], capture_output=True, text=True, errors="replace")
    return json.loads(done.stdout) if done.returncode == 0 else {"error": done.stderr.strip() or str(done.returncode)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("figure", help="anything that limber opens")
    parser.add_argument("clips", nargs="+", help="observed points or motions; @FILE names a file with one of them a line")
    parser.add_argument("--out", required=True, help="folder for the motions, STEM.bvh each")
    parser.add_argument("--limber", default="limber", help="the program")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--workers", type=int, default=os.cpu_count(), help="processes on this machine")
    where.add_argument("--scheduler", help="address of a Dask scheduler, whose workers see the same files")
    parser.fromfile_prefix_chars = "@"
    arguments = parser.parse_args()
    os.makedirs(arguments.out, exist_ok=True)
    outs = {}
    for clip in arguments.clips:
        stem = os.path.splitext(os.path.basename(clip))[0]
        out = os.path.join(os.path.abspath(arguments.out), stem + ".bvh")
        if out in outs:
            parser.error(f"{clip} and {outs[out]} would both become {out}")
        outs[out] = clip
    figure = os.path.abspath(arguments.figure) if os.path.exists(arguments.figure) else arguments.figure

    cluster = None if arguments.scheduler else LocalCluster(
        n_workers=arguments.workers, threads_per_worker=1, host="127.0.0.1", dashboard_address=None)
    failed, count = {}, 0
    with Client(arguments.scheduler or cluster) as client:
        begin = time.monotonic()
        futures = {client.submit(fit, arguments.limber, figure, os.path.abspath(clip), out, pure=False): clip
                   for out, clip in outs.items()}
        for future in as_completed(futures):
            clip = futures[future]
            result = {"error": repr(future.exception())} if future.status != "finished" else future.result()
            count += 1
            if "error" in result:
                failed[clip] = result["error"]
            what = "failed" if "error" in result else "kept" if "kept" in result else "fitted"
            print(f"{count}/{len(futures)} {what} {clip}", flush=True)
        print(f"{count - len(failed)} of {count} clips in {time.monotonic() - begin:.1f} s")
    if cluster:
        cluster.close()
    for clip in sorted(failed):
        print(f"{clip}: {failed[clip]}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

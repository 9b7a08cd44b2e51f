"""`python -m tests.benchmarks [NAME ...]`: small_operations, training, data_loading, imports, recording."""

import argparse
import os
import platform

import torch as upstream

from annotated_src import torch
from tests.benchmarks import data_loading, imports, recording, small_operations, training
from tests.benchmarks.timing import HEAD

BENCHMARKS = {
    "small_operations": small_operations,
    "training": training,
    "data_loading": data_loading,
    "imports": imports,
    "recording": recording,
}


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description="Ratios to upstream's time.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    chosen = parser.parse_args().names or list(BENCHMARKS)
    unknown = [name for name in chosen if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    print(f"Python {platform.python_version()}, torch {upstream.__version__}, {os.cpu_count()} cores")
    print(HEAD)
    for name in chosen:
        for row in BENCHMARKS[name].run(torch, upstream):
            print(row, flush=True)


main()

"""`python -m tests.benchmarks [NAME ...]`: small_operations, training, data_loading, imports, recording.

With `--device cuda`: on_a_card, beside torch.cuda; one line, and no figures, where there is no card.
"""

import argparse
import importlib
import os
import platform

import torch as upstream

from annotated_src import torch
from tests.benchmarks import data_loading, imports, on_a_card, recording, small_operations, training
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
    parser.add_argument("--device", default="cpu", choices=("cpu", "cuda"), help="cuda: on a card, beside torch.cuda")
    parser.add_argument("--record", action="store_true", help="with --device cuda: write the figures for the book")
    given = parser.parse_args()
    if given.device == "cuda":
        return _on_a_card(parser, given.record)
    chosen = given.names or list(BENCHMARKS)
    unknown = [name for name in chosen if name not in BENCHMARKS]
    if unknown:
        parser.error(f"no benchmark {', '.join(unknown)}; there are {', '.join(BENCHMARKS)}")
    print(f"Python {platform.python_version()}, torch {upstream.__version__}, {os.cpu_count()} cores")
    print(HEAD)
    for name in chosen:
        for row in BENCHMARKS[name].run(torch, upstream):
            print(row, flush=True)


def _on_a_card(parser, to_be_recorded):
    why_not = on_a_card.why_not(torch, upstream)
    if why_not is not None:
        parser.error(f"--device cuda cannot run here: {why_not}")
    card = torch.cuda.get_device_name()
    print(f"{card}, Python {platform.python_version()}, torch {upstream.__version__} (CUDA {upstream.version.cuda})")
    print(HEAD)
    rows = []
    for row in on_a_card.run(torch, upstream):
        rows.append(row)
        print(row, flush=True)
    if to_be_recorded:
        versions = {"torch": upstream.__version__, "cuda": upstream.version.cuda, "cupy": version("cupy")}
        print(f"written to {on_a_card.write_record(rows, card, versions)}")


def version(name):
    """The version of CuPy, whatever its distribution is called."""
    return importlib.import_module(name).__version__


main()

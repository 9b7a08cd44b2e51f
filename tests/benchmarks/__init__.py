"""Speed, as a ratio to upstream: `python -m tests.benchmarks [NAME ...]`.

Each benchmark runs our code and upstream's in turn, in one process, and reports the medians and their ratio beside the
limit that we set ourselves. Nothing here is a test: a ratio over its limit is printed, not raised.
"""

"""Anomaly mode: which operator made the node whose backward fails? Retells torch/csrc/autograd/anomaly_mode.h.

While it is on, each node remembers the Python stack of its operator's call, and backward checks for NaN.

Invariant: one switch for all threads, as upstream.
"""

import warnings


class _AnomalyMode:
    enabled = False
    check_nan = True


_mode = _AnomalyMode()


def is_enabled():
    """Whether nodes remember where they were made."""
    return _mode.enabled


def should_check_nan():
    """Whether backward stops at the first NaN."""
    return _mode.check_nan


def set_enabled(enabled, check_nan=True):
    """Switch anomaly mode on or off."""
    _mode.enabled = enabled
    _mode.check_nan = check_nan


def store_stack(node, parent):
    """Remember where the operator was called, and which node's backward called it."""
    import traceback  # (only here: it takes long to load)

    node.metadata["traceback_"] = traceback.format_stack()[:-1]
    node.metadata["parent_"] = parent


def print_stack(node):
    """Warn with the stack of the forward call that made `node`, and of the backward calls that led there."""
    if not _mode.enabled:
        return
    stack = node.metadata.get("traceback_")
    if stack is None:
        warnings.warn(
            f"Error detected in {node.name()}. No forward pass information available. Enable detect anomaly during "
            "forward pass for more information.",
            stacklevel=2,
        )
        return
    warnings.warn(
        f"Error detected in {node.name()}. Traceback of forward call that caused the error:\n{''.join(stack)}",
        stacklevel=2,
    )
    parent = node.metadata.get("parent_")
    while parent is not None:
        stack = parent.metadata.get("traceback_")
        if stack is None:
            return
        warnings.warn(
            f"Previous calculation was induced by {parent.name()}. "
            f"Traceback of forward call that induced the previous calculation:\n{''.join(stack)}",
            stacklevel=2,
        )
        parent = parent.metadata.get("parent_")

"""What this thread wants of autograd. Retells c10/core/AutogradState.h, GradMode.h and InferenceMode.h.

    grad_mode        record graph nodes?               torch.no_grad, torch.enable_grad
    inference_mode   make inference tensors?           torch.inference_mode

Left out: forward-mode gradients, multithreading of backward, view replay.
"""

import threading

from annotated_src.c10.core import dispatch_key


class _AutogradState(threading.local):
    # Set by each thread for itself: a default on the class would take thrice as long to read.
    def __init__(self):
        self.grad_mode = True
        self.inference_mode = False
        # Pairs of torch.autograd.graph.saved_tensors_hooks, the innermost last; a message if they are disabled.
        self.saved_tensors_hooks = ()
        self.saved_tensors_hooks_disabled = None


state = _AutogradState()


def is_grad_enabled():
    """Whether operators record graph nodes in this thread."""
    return state.grad_mode


def set_grad_enabled(enabled):
    """Make operators record, or not."""
    state.grad_mode = enabled


def is_inference_mode_enabled():
    """Whether tensors made in this thread are inference tensors."""
    return state.inference_mode


class InferenceMode:
    """Within the `with` block new tensors are inference tensors, and nothing is recorded."""

    # In how many blocks the threads are: while it is 0, nobody has to ask.
    blocks = 0

    def __init__(self, enabled=True):
        self.enabled = enabled

    def __enter__(self):
        local = dispatch_key.tls.local
        self.previous = (state.grad_mode, state.inference_mode, local.included)
        state.grad_mode = not self.enabled
        state.inference_mode = self.enabled
        inplace = dispatch_key.bit("ADInplaceOrView")
        local.included = local.included & ~inplace if self.enabled else local.included | inplace
        InferenceMode.blocks += 1

    def __exit__(self, *exception):
        InferenceMode.blocks -= 1
        state.grad_mode, state.inference_mode, dispatch_key.tls.local.included = self.previous

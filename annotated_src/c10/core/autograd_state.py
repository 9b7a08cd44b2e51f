"""What this thread wants of autograd. Retells c10/core/AutogradState.h, GradMode.h and InferenceMode.h.

    grad_mode        record graph nodes?               torch.no_grad, torch.enable_grad
    inference_mode   make inference tensors?           torch.inference_mode
"""

import threading


class _AutogradState(threading.local):
    grad_mode = True
    inference_mode = False


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

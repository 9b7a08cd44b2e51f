"""What torch._C._autograd offers to Python. Retells torch/csrc/autograd/init.cpp and saved_variable_hooks.h.

Left out: the profiler.
"""

from annotated_src.c10.core.autograd_state import state
from annotated_src.c10.util.exception import TorchError


def _push_saved_tensors_default_hooks(pack_hook, unpack_hook):
    """From now on this pair packs and unpacks what operators save in this thread."""
    if state.saved_tensors_hooks_disabled is not None:
        raise TorchError(state.saved_tensors_hooks_disabled)
    state.saved_tensors_hooks = (*state.saved_tensors_hooks, (pack_hook, unpack_hook))


def _pop_saved_tensors_default_hooks():
    """Back to the pair before."""
    state.saved_tensors_hooks = state.saved_tensors_hooks[:-1]


def _saved_tensors_hooks_disable(error_message):
    """Refuse pairs with this message; RuntimeError if one is there already."""
    if state.saved_tensors_hooks:
        raise TorchError(error_message)
    state.saved_tensors_hooks_disabled = error_message


def _saved_tensors_hooks_enable():
    """Allow pairs again."""
    state.saved_tensors_hooks_disabled = None


def _saved_tensors_hooks_get_disabled_error_message():
    """The message with which pairs are refused, or None."""
    return state.saved_tensors_hooks_disabled

"""Module: an object that is called like a function, and does its work in `forward`.

Retells the way of a call through torch/nn/modules/module.py:
    module(x) -> _wrapped_call_impl -> _call_impl -> forward

Left out until the layers' chapter: parameters, buffers, submodules, hooks, state_dict, and with them __setattr__.
"""


class Module:
    """The base of layers and of those image transforms that may stand among layers (torch.nn.Module).

    >>> from annotated_src.torch.nn import Module
    >>> class Double(Module):
    ...     def forward(self, x):
    ...         return 2 * x
    >>> Double()(3)
    6
    """

    training: bool

    def __init__(self) -> None:
        self.training = True

    def forward(self, *input):
        raise NotImplementedError(
            f'Module [{type(self).__name__}] is missing the required "forward" function: define it in the class.'
        )

    def _wrapped_call_impl(self, *args, **kwargs):
        return self._call_impl(*args, **kwargs)

    def _call_impl(self, *args, **kwargs):
        # Without hooks nothing stands between the call and forward.
        return self.forward(*args, **kwargs)

    # Not a method of its own: a traceback begins at _wrapped_call_impl, as upstream's does.
    __call__ = _wrapped_call_impl

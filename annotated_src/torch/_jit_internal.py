"""Two small things that TorchScript needs and everybody calls. Retells torch/_jit_internal.py.

    is_scripting        does TorchScript compile this code? Many of torchvision's functions ask it first
    boolean_dispatch    one function of two, by the value of a bool

Left out: TorchScript; so the answer is no.
"""


def is_scripting() -> bool:
    """Whether TorchScript is compiling the caller: never, here and in every program that runs upstream's Python.

    >>> from annotated_src.torch import jit
    >>> jit.is_scripting()
    False
    """
    return False


def boolean_dispatch(arg_name, arg_index, default, if_true, if_false, module_name, func_name):
    """One function of two: whether the argument `arg_name` is true decides which is called.

    TorchScript wants a function to return one type, so `max_pool2d` with and without indices are two.
    """

    def fn(*args, **kwargs):
        dispatch_flag = default
        if arg_name in kwargs:
            dispatch_flag = kwargs[arg_name]
        elif arg_index < len(args):
            dispatch_flag = args[arg_index]
        if dispatch_flag:
            return if_true(*args, **kwargs)
        return if_false(*args, **kwargs)

    fn.__doc__ = if_true.__doc__ or if_false.__doc__
    fn.__module__ = module_name
    fn.__name__ = func_name
    return fn

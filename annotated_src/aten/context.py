"""Context: what concerns all operators. Retells aten/src/ATen/Context.cpp.

A card is started when it is first needed: `lazy_init_device` is called before a CUDA tensor or generator is made, and
comes back at once from then on. What there is to start is registered from above (torch/cuda/__init__.py).

Left out: all settings (deterministic algorithms, precision, back ends).
"""

_lazy_init = {}


def set_lazy_init(device_type, function):
    """Register what starts a device type; it is called often, and acts once."""
    _lazy_init[device_type] = function


def lazy_init_device(device_type):
    """Start a device type, if that is still to be done."""
    function = _lazy_init.get(device_type)
    if function is not None:
        function()

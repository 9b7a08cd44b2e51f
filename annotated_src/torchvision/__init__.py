"""torchvision, retold: `from annotated_src import torchvision`.

Retells torchvision/__init__.py.

datasets     folders of images as data sets
transforms   from an image to a tensor, and what is done to either on the way

Left out so far: ops, models, extension and their registrations (chapters of their own); io, and with it the choice of
a video back end.
"""

from annotated_src.torchvision import datasets, transforms, utils

__all__ = ["datasets", "get_image_backend", "set_image_backend", "transforms", "utils"]

__version__ = "0.28.0"

_image_backend = "PIL"


def set_image_backend(backend):
    """Choose the package that loads images, "PIL" or "accimage"; ValueError for any other
    (torchvision.set_image_backend).

    Only Pillow is there: with "accimage" the default loader raises ModuleNotFoundError, as it does where accimage is
    not installed.

    >>> from annotated_src import torchvision
    >>> torchvision.set_image_backend("PIL")
    """
    global _image_backend
    if backend not in ("PIL", "accimage"):
        raise ValueError(f"Invalid backend '{backend}'. Options are 'PIL' and 'accimage'.")
    _image_backend = backend


def get_image_backend():
    """The name of the package that loads images (torchvision.get_image_backend).

    >>> from annotated_src import torchvision
    >>> torchvision.get_image_backend()
    'PIL'
    """
    return _image_backend

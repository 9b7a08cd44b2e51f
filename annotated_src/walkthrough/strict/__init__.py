"""A stand-in for CuPy that needs no card and forgives nothing.

    with installed():
        x = torch.ones(3, device="cuda")      a CUDA tensor, whose array is a strict one

Behind the door (c10/array_module.py) then stands a module whose arrays are not NumPy arrays. The sums are done by
NumPy, on the host; everything else is as with CuPy 14, as far as its sources and its own names tell:

    names and parameters    what CuPy lacks does not exist: cupy_api.json, written by `python -m tests.cupy_api`
    types                   a ufunc takes what CuPy has a loop for, and gives what that loop gives
    conversion              none that was not asked for: `get()`, `item()`, `float(a)` ... go to the host, all else is
                            a TypeError
    mixing                  a NumPy array among strict ones is a TypeError; Python and NumPy scalars may pass
    scalars                 there are none: `a[0]` and `a.sum()` are arrays without dimensions
    indices out of range    wrap around, silently

Every transfer and every launch is written to cuda.log, so that they can be counted. A transfer at a line of the product
that does not say so is refused (marks.py).

    array.py   the array         ufunc.py   the elementwise functions
    module.py  the module        cuda.py    streams, events, memory, the log
    api.py     what is on record of CuPy
    marks.py   which lines may transfer

Deviation: CuPy carries an index that is a host array or a list to the card itself; here it is refused, since that is a
hidden transfer. CUDA source is not compiled: RawModule and its kin say so.
"""

import contextlib

from annotated_src.c10.array_module import set_cuda_module


@contextlib.contextmanager
def installed():
    """Put the strict module behind the door, and take it out again."""
    from annotated_src.walkthrough.strict.module import strict_module

    before = set_cuda_module(strict_module)
    try:
        yield strict_module
    finally:
        set_cuda_module(before)

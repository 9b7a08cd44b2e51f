"""copy_ where a CUDA tensor takes part. Retells aten/src/ATen/native/cuda/Copy.cu.

    both on one card            one kernel, which casts and broadcasts as well
    host to card, or back       a piece of memory travels as it is: the dtypes are equal and both sides contiguous
                                first, which may cost a temporary on either side

    non_blocking=False          the host waits until the copy is done
    non_blocking=True           the copy is queued on the current stream, and the host goes on. Into memory of the
                                host that is not page-locked the runtime waits all the same.

Whoever reads the target of a non-blocking copy to the host must wait for the stream first; nothing else does.
"""

import numpy

from annotated_src.aten.native.cpu.copy_kernel import cast
from annotated_src.c10.array_module import array_module
from annotated_src.c10.cuda.cuda_stream import get_current_cuda_stream


def copy_kernel_cuda(dst, src, non_blocking):
    """Write `src`'s elements into `dst`, of which at least one is on a card; shapes broadcast."""
    if not isinstance(dst.array, numpy.ndarray) and not isinstance(src.array, numpy.ndarray):
        copy_device_to_device(dst, src)
        return
    if copy_requires_temporaries(dst, src):
        _copy_with_temporaries(dst, src, non_blocking)
        return
    _copy_memory(dst.array, src.array, non_blocking)


def copy_device_to_device(dst, src):
    """One kernel on the target's card, which reads the other card's memory where there are two."""
    with array_module(dst.array).cuda.Device(dst.array.device.id):
        dst.array[...] = cast(src.array, dst.array.dtype)


def copy_requires_temporaries(dst, src):
    """Whether memory cannot travel as it is."""
    same_dtype = dst.array.dtype == src.array.dtype
    same_shape = dst.array.shape == src.array.shape
    return not (same_dtype and same_shape and dst.array.flags.c_contiguous and src.array.flags.c_contiguous)


def _copy_with_temporaries(dst, src, non_blocking):
    """Cast and lay out before and after the journey.

    The cast is done before it, except on the way to the host where the host waits anyway: there the host casts, which
    spares the card a temporary.
    """
    to_card = not isinstance(dst.array, numpy.ndarray)
    travelling = dst.array.dtype if to_card or non_blocking else src.array.dtype
    src_contig = _contiguous(_expand(cast(src.array, travelling), dst.array.shape))
    if dst.array.flags.c_contiguous and dst.array.dtype == travelling:
        _copy_memory(dst.array, src_contig, non_blocking)
        return
    dst_contig = _empty_beside(dst.array, travelling)
    _copy_memory(dst_contig, src_contig, non_blocking)
    dst.array[...] = cast(dst_contig, dst.array.dtype)


def _expand(array, shape):
    return array if array.shape == shape else array_module(array).broadcast_to(array, shape)


def _contiguous(array):
    return array if array.flags.c_contiguous else array_module(array).ascontiguousarray(array)


def _empty_beside(array, dtype):
    """Memory without gaps where `array` is, of its shape."""
    xp = array_module(array)
    if xp is numpy:
        return numpy.empty(array.shape, dtype)
    with xp.cuda.Device(array.device.id):
        return xp.empty(array.shape, dtype)


def _copy_memory(dst, src, non_blocking):
    """The journey: equal dtypes and shapes, no gaps. It is queued on the current stream of the card."""
    if dst.size == 0:
        return
    card = src if isinstance(dst, numpy.ndarray) else dst
    stream = get_current_cuda_stream(card.device.id)
    with array_module(card).cuda.Device(card.device.id):
        if card is dst:
            dst.set(src, stream.stream())  # H2D: the copy that was asked for
        else:
            src.get(stream.stream(), out=dst, blocking=False)  # D2H: the copy that was asked for
    if not non_blocking:
        stream.synchronize()

"""How a tensor prints. Retells torch/_tensor_str.py.

    repr(x) -> _str -> _str_intern     what stands around the numbers: tensor( ... , dtype=..., grad_fn=...)
                    -> _tensor_str     the numbers: one formatter for all of them, so that columns line up
                       _Formatter      int_mode "1.", fixed "1.5000" or sci_mode "1.5000e+00"; the widest width
                       _vector_str     one row, broken where the line is full

More than `threshold` elements are summarized: `edgeitems` at both ends of each dimension, and only those have a say
in the format. `set_printoptions` changes the limits.

Left out: sparse, quantized and nested tensors, meta tensors, functorch's wrappers, forward-mode tangents.
Deviation: upstream cuts and compares with tensor operators; here the elements are brought to the host once, and from
`_tensor_str` on down `self` is a NumPy array, so that printing calls no operator.
"""

import contextlib

import numpy

from annotated_src.c10.core import scalar_type
from annotated_src.c10.core.scalar_type import bfloat16, bool_, float64, int64


class __PrinterOptions:
    """What `set_printoptions` sets."""

    def __init__(self):
        self.precision = 4
        self.threshold = 1000
        self.edgeitems = 3
        self.linewidth = 80
        self.sci_mode = None


PRINT_OPTS = __PrinterOptions()

_PROFILES = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": float("inf"), "edgeitems": 3, "linewidth": 80},
}

# Classes whose instances print as `tensor(...)`; of others the class name is shown. torch.Tensor adds itself.
# Deviation: upstream names Tensor and Parameter here, which this module, standing below both, cannot import.
plain_types = set()


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    """Change how tensors print; what is not given stays, but for `sci_mode`, which goes back to None.

    Upstream: torch/_tensor_str.py.

    >>> from annotated_src import torch
    >>> torch.set_printoptions(precision=2)
    >>> torch.tensor([1.2345])
    tensor([1.23])
    >>> torch.set_printoptions(profile="default")
    """
    changes = dict(_PROFILES.get(profile, ()))
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    changes.update((name, value) for name, value in given.items() if value is not None)
    for name, value in changes.items():
        setattr(PRINT_OPTS, name, value)
    PRINT_OPTS.sci_mode = sci_mode


def get_printoptions():
    """The present options, as keyword arguments of `set_printoptions`."""
    return dict(vars(PRINT_OPTS))


@contextlib.contextmanager
def printoptions(**kwargs):
    """Other options within a `with` block."""
    before = get_printoptions()
    set_printoptions(**kwargs)
    try:
        yield
    finally:
        set_printoptions(**before)


class _Formatter:
    """One format for all the elements that are shown: the same mode, precision and width."""

    def __init__(self, tensor):
        self.floating_dtype = tensor.dtype.kind == "f"
        self.int_mode = True
        self.sci_mode = False
        self.max_width = 1
        if not self.floating_dtype:
            self.max_width = max([1, *(len(str(value)) for value in tensor.ravel().tolist())])
            return
        values = tensor.ravel().astype(numpy.float64)
        values = values[numpy.isfinite(values) & (values != 0)]
        # Zeros, nan and inf fit any format: the other values decide.
        if values.size:
            self._decide(values)

    def _decide(self, nonzero_finite_vals):
        self.int_mode = bool((nonzero_finite_vals == numpy.ceil(nonzero_finite_vals)).all())
        self.sci_mode = PRINT_OPTS.sci_mode
        if self.sci_mode is None:
            self.sci_mode = _range_asks_for_sci_mode(numpy.abs(nonzero_finite_vals))
        spec = self._spec()
        # In int_mode "1" stands for a number of a floating dtype: a point is appended, as in "1."
        point = 1 if self.int_mode and not self.sci_mode else 0
        widths = (len(format(value, spec)) + point for value in nonzero_finite_vals.tolist())
        self.max_width = max(self.max_width, *widths)

    def _spec(self):
        if self.sci_mode:
            return f".{PRINT_OPTS.precision}e"
        if self.int_mode:
            return ".0f"
        return f".{PRINT_OPTS.precision}f"

    def width(self):
        """How wide one element is."""
        return self.max_width

    def format(self, value):
        """One element, padded on the left."""
        if not self.floating_dtype:
            return str(value).rjust(self.max_width)
        text = format(value, self._spec())
        if self.int_mode and not self.sci_mode and text[-1].isdigit():
            text += "."
        return text.rjust(self.max_width)


def _range_asks_for_sci_mode(nonzero_finite_abs):
    """Whether fixed notation would lose digits of the smallest or drown in those of the largest."""
    smallest, largest = nonzero_finite_abs.min(), nonzero_finite_abs.max()
    # A tiny value can make the ratio overflow; inf is the right answer then.
    with numpy.errstate(over="ignore"):
        return bool(largest / smallest > 1000.0 or largest > 1.0e8 or smallest < 1.0e-4)


def _complex_str(value, formatter1, formatter2):
    imaginary = (formatter2.format(value.imag) + "j").lstrip()
    sign = "" if imaginary[0] in "+-" else "+"
    return formatter1.format(value.real) + sign + imaginary


def _scalar_str(self, formatter1, formatter2=None):
    if formatter2 is None:
        return formatter1.format(self.item())
    return _complex_str(self.item(), formatter1, formatter2)


def _vector_str(self, indent, summarize, formatter1, formatter2=None):
    element_length = formatter1.width() + len(", ")
    if formatter2 is not None:
        element_length += formatter2.width() + len("j")
    elements_per_line = max(1, int((PRINT_OPTS.linewidth - indent) // element_length))

    def texts(values):
        if formatter2 is None:
            return [formatter1.format(value) for value in values.tolist()]
        return [_complex_str(value, formatter1, formatter2) for value in values.tolist()]

    edge = PRINT_OPTS.edgeitems
    if summarize and not edge:
        data = ["..."]
    elif summarize and len(self) > 2 * edge:
        data = [*texts(self[:edge]), " ...", *texts(self[-edge:])]
    else:
        data = texts(self)
    lines = [", ".join(data[first : first + elements_per_line]) for first in range(0, len(data), elements_per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _tensor_str_with_formatter(self, indent, summarize, formatter1, formatter2=None):
    """The elements in brackets; each dimension is a list of what the next one gives."""
    if self.ndim == 0:
        return _scalar_str(self, formatter1, formatter2)
    if self.ndim == 1:
        return _vector_str(self, indent, summarize, formatter1, formatter2)

    def slices(indices):
        return [
            _tensor_str_with_formatter(self[i], indent + 1, summarize, formatter1, formatter2) for i in indices
        ]

    size, edge = len(self), PRINT_OPTS.edgeitems
    if summarize and size > 2 * edge:
        parts = [*slices(range(edge)), "...", *slices(range(size - edge, size))]
    else:
        parts = slices(range(size))
    # Matrices of a higher tensor stand apart by blank lines.
    separator = "," + "\n" * (self.ndim - 1) + " " * (indent + 1)
    return "[" + separator.join(parts) + "]"


def _tensor_str(self, indent):
    """The elements of a host array."""
    if self.size == 0:
        return "[]"
    summarize = self.size > PRINT_OPTS.threshold
    shown = get_summarized_data(self) if summarize else self
    if self.dtype.kind != "c":
        return _tensor_str_with_formatter(self, indent, summarize, _Formatter(shown))
    real_formatter = _Formatter(shown.real)
    imag_formatter = _Formatter(shown.imag)
    return _tensor_str_with_formatter(self, indent, summarize, real_formatter, imag_formatter)


def _add_suffixes(tensor_str, suffixes, indent, force_newline):
    """`tensor_str` with `, dtype=...)` behind it; a suffix for which the line is too short begins a new one."""
    pieces = [tensor_str]
    # One more than the length of the last line: upstream counts so.
    last_line_len = len(tensor_str) - tensor_str.rfind("\n") + 1
    for suffix in suffixes:
        with_comma = len(suffix) + len(", ")
        if force_newline or last_line_len + with_comma > PRINT_OPTS.linewidth:
            pieces.append(",\n" + " " * indent + suffix)
            last_line_len = indent + len(suffix)
            force_newline = False
        else:
            pieces.append(", " + suffix)
            last_line_len += with_comma
    return "".join(pieces) + ")"


def get_summarized_data(self):
    """The elements that a summary shows, as an array."""
    edge = PRINT_OPTS.edgeitems
    if self.ndim == 0:
        return self
    if self.ndim == 1:
        return numpy.concatenate((self[:edge], self[-edge:])) if len(self) > 2 * edge else self
    if not edge:
        return numpy.empty([0] * self.ndim, self.dtype)
    ends = [*self[:edge], *self[-edge:]] if len(self) > 2 * edge else self
    return numpy.stack([get_summarized_data(part) for part in ends])


def _host_array(tensor):
    """The tensor's elements as NumPy prints them: on the host, bfloat16 as float32 (which holds its every value)."""
    array = tensor.array
    if not isinstance(array, numpy.ndarray):
        array = array.get()  # D2H: what is printed
    return array.astype(numpy.float32) if tensor.dtype is bfloat16 else array


def _str_intern(inp, *, tensor_contents=None):
    if inp.is_sparse:
        return _sparse_str(inp)
    prefix = "tensor(" if type(inp) in plain_types else f"{type(inp).__name__}("
    indent = len(prefix)
    suffixes = []
    # Deviation: upstream leaves out the index of the current CUDA device's tensors only where CUDA is the default
    # device; CPU is the only default here.
    if inp.device.type != "cpu":
        suffixes.append(f"device='{inp.device}'")
    if inp.array.size == 0:
        _add_empty_suffixes(suffixes, inp)
    else:
        if not PRINT_OPTS.edgeitems:
            suffixes.append(f"size={tuple(inp.shape)}")
        if not _is_obvious(inp.dtype):
            suffixes.append(f"dtype={inp.dtype}")
    _add_grad_suffix(suffixes, inp)
    contents = _tensor_str(_host_array(inp), indent) if tensor_contents is None else tensor_contents
    return _add_suffixes(prefix + contents, suffixes, indent, force_newline=False)


def _sparse_str(inp):
    """indices, values, size, nnz: those of one part begin a line each."""
    prefix = "tensor("
    indent = len(prefix)
    suffixes = [f"size={tuple(inp.shape)}", f"nnz={inp._nnz()}"]
    if inp.device.type != "cpu":
        suffixes.insert(0, f"device='{inp.device}'")
    if inp.dtype is not scalar_type.get_default_dtype():
        suffixes.append(f"dtype={inp.dtype}")
    suffixes.append("layout=torch.sparse_coo")
    _add_grad_suffix(suffixes, inp)
    parts = (("indices", inp._indices().detach()), ("values", inp._values().detach()))
    contents = [f"{name}={_part_str(part, indent + len(name) + 1)}" for name, part in parts]
    return _add_suffixes(prefix + (",\n" + " " * indent).join(contents), suffixes, indent, force_newline=True)


def _part_str(part, indent):
    """`tensor([...])`, whose further lines are indented to stand below the first."""
    text = _tensor_str(_host_array(part), indent + len("tensor("))
    suffixes = []
    if part.array.size == 0:
        suffixes.append(f"size={tuple(part.shape)}")
    return _add_suffixes("tensor(" + text, suffixes, indent, force_newline=False)


def _is_obvious(dtype):
    """Whether `torch.tensor` of the printed numbers would have this dtype anyway."""
    default = scalar_type.get_default_dtype()
    default_complex = scalar_type.complex128 if default is float64 else scalar_type.complex64
    return dtype in (default, default_complex, int64, bool_)


def _add_empty_suffixes(suffixes, tensor):
    # `[]` tells neither the sizes, unless there is but one, nor a dtype.
    if tensor.array.ndim != 1:
        suffixes.append(f"size={tuple(tensor.shape)}")
    if tensor.dtype is not scalar_type.get_default_dtype():
        suffixes.append(f"dtype={tensor.dtype}")


def _add_grad_suffix(suffixes, inp):
    try:
        grad_fn = inp.grad_fn
    except RuntimeError:
        # A view made under no_grad and then written to: its history cannot be told.
        suffixes.append("grad_fn=<Invalid>")
        return
    if grad_fn is not None:
        suffixes.append(f"grad_fn=<{type(grad_fn).__name__}>")
    elif inp.requires_grad:
        suffixes.append("requires_grad=True")


def _str(self, *, tensor_contents=None):
    """What `repr(self)` is."""
    return _str_intern(self, tensor_contents=tensor_contents)

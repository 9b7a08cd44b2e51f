"""Activations, dropout, and the backward operators of both."""

from annotated_src.aten.native import activation, dropout, soft_max
from annotated_src.aten.native.native_functions.registry import BOTH, EXPLICIT, IMPLICIT, native, structured

SELF = "Tensor(a!) self"
OUT = "Tensor(a!) out) -> Tensor(a!)"
RANGE = "Scalar lower=0.125, Scalar upper=0.33333333333333331, bool training=False, Generator? generator=None"


def register():
    """Define them."""
    _straight_lines()
    _curves()
    _two_tensors()
    _from_the_result()
    _dropout()


def _forms(name, parameters=""):
    """The forms of an activation: made, in place, into `out`."""
    comma = f", {parameters}" if parameters else ""
    keyword_only = f"{comma}, " if "*" in parameters else f"{comma}, *, "
    return (
        f"{name}(Tensor self{comma}) -> Tensor",
        f"{name}_({SELF}{comma}) -> Tensor(a!)",
        f"{name}.out(Tensor self{keyword_only}{OUT}",
    )


def _gradient(name, parameters, kernel=None):
    native(f"{name}({parameters}) -> Tensor", {BOTH: kernel or getattr(activation, name)})


def _pair(name, parameters=""):
    """An activation made of others, and its form in place."""
    comma = f", {parameters}" if parameters else ""
    native(f"{name}(Tensor self{comma}) -> Tensor", {IMPLICIT: getattr(activation, name)})
    native(f"{name}_({SELF}{comma}) -> Tensor(a!)", {IMPLICIT: getattr(activation, name + "_")})


def _straight_lines():
    native("relu(Tensor self) -> Tensor", {BOTH: activation.relu})
    native(f"relu_({SELF}) -> Tensor(a!)", {BOTH: activation.relu_})
    _pair("relu6")
    structured(activation.threshold, *_forms("threshold", "Scalar threshold, Scalar value"))
    _gradient("threshold_backward", "Tensor grad_output, Tensor self, Scalar threshold")
    structured(activation.leaky_relu, *_forms("leaky_relu", "Scalar negative_slope=0.01"))
    _gradient(
        "leaky_relu_backward", "Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result"
    )
    limits = "Scalar min_val=-1, Scalar max_val=1"
    native(f"hardtanh(Tensor self, {limits}) -> Tensor", {BOTH: activation.hardtanh})
    native(f"hardtanh_({SELF}, {limits}) -> Tensor(a!)", {BOTH: activation.hardtanh_})
    native(f"hardtanh.out(Tensor self, {limits}, *, {OUT}", {BOTH: activation.hardtanh_out})
    _gradient("hardtanh_backward", "Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val")
    for name in ("hardsigmoid", "hardswish"):
        structured(getattr(activation, name), *_forms(name))
        _gradient(f"{name}_backward", "Tensor grad_output, Tensor self")
    for name, grad in (("hardshrink", "grad_out"), ("softshrink", "grad_output")):
        made, _, out = _forms(name, "Scalar lambd=0.5")
        structured(getattr(activation, name), made, out)
        _gradient(f"{name}_backward", f"Tensor {grad}, Tensor self, Scalar lambd")


def _curves():
    structured(activation.elu, *_forms("elu", "Scalar alpha=1, Scalar scale=1, Scalar input_scale=1"))
    _gradient(
        "elu_backward",
        "Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool is_result, Tensor self_or_result",
    )
    _pair("selu")
    native("celu(Tensor self, Scalar alpha=1.) -> Tensor", {EXPLICIT: activation.celu})
    native(f"celu_({SELF}, Scalar alpha=1.) -> Tensor(a!)", {EXPLICIT: activation.celu_})
    structured(activation.gelu, *_forms("gelu", '*, str approximate="none"'))
    _gradient("gelu_backward", 'Tensor grad_output, Tensor self, *, str approximate="none"')
    for name in ("silu", "mish"):
        structured(getattr(activation, name), *_forms(name))
        native(
            f"{name}_backward(Tensor grad_output, Tensor self) -> Tensor",
            {BOTH: getattr(activation, f"{name}_backward"), IMPLICIT: getattr(activation, f"math_{name}_backward")},
        )
    made, _, out = _forms("softplus", "Scalar beta=1, Scalar threshold=20")
    structured(activation.softplus, made, out)
    _gradient("softplus_backward", "Tensor grad_output, Tensor self, Scalar beta, Scalar threshold")
    native("log_sigmoid(Tensor self) -> Tensor", {IMPLICIT: activation.log_sigmoid})
    native(
        "log_sigmoid_forward(Tensor self) -> (Tensor output, Tensor buffer)", {BOTH: activation.log_sigmoid_forward}
    )
    _gradient("log_sigmoid_backward", "Tensor grad_output, Tensor self, Tensor buffer")


def _two_tensors():
    native("prelu(Tensor self, Tensor weight) -> Tensor", {IMPLICIT: activation.prelu})
    native("_prelu_kernel(Tensor self, Tensor weight) -> Tensor", {BOTH: activation._prelu_kernel})
    native(
        "_prelu_kernel_backward(Tensor grad_output, Tensor self, Tensor weight) -> (Tensor, Tensor)",
        {BOTH: activation._prelu_kernel_backward},
    )
    _pair("rrelu", RANGE)
    noise = f"Tensor(b!) noise, {RANGE}"
    structured(activation.rrelu_with_noise, *_forms("rrelu_with_noise", noise))
    native(
        "rrelu_with_noise_backward(Tensor grad_output, Tensor self, Tensor noise, Scalar lower, Scalar upper, "
        "bool training, bool self_is_result) -> Tensor",
        {EXPLICIT: activation.rrelu_with_noise_backward},
    )
    made, _, out = _forms("glu", "int dim=-1")
    structured(activation.glu, made, out)
    _gradient("glu_backward", "Tensor grad_output, Tensor self, int dim")


def _from_the_result():
    _gradient("sigmoid_backward", "Tensor grad_output, Tensor output")
    _gradient("tanh_backward", "Tensor grad_output, Tensor output")
    for name in ("_softmax_backward_data", "_log_softmax_backward_data"):
        parameters = "Tensor grad_output, Tensor output, int dim, ScalarType input_dtype"
        _gradient(name, parameters, getattr(soft_max, name))


def _dropout():
    for name in ("dropout", "alpha_dropout", "feature_dropout", "feature_alpha_dropout"):
        native(f"{name}(Tensor input, float p, bool train) -> Tensor", {IMPLICIT: getattr(dropout, name)})
        native(f"{name}_({SELF}, float p, bool train) -> Tensor(a!)", {IMPLICIT: getattr(dropout, name + "_")})
    native(
        "native_dropout(Tensor input, float p, bool? train) -> (Tensor, Tensor)", {BOTH: dropout.native_dropout}
    )
    native(
        "native_dropout_backward(Tensor grad_output, Tensor mask, float scale) -> Tensor",
        {BOTH: dropout.native_dropout_backward},
    )

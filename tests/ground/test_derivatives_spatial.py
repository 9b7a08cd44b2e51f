"""Gradients, second derivatives and node names of convolutions, poolings, padding, interpolation, beside upstream's."""

import importlib.util

import pytest

from tests.ground.test_convolution import ramp

COVERS = ["tools/autograd/derivatives.yaml", "torch/csrc/autograd/FunctionsManual.cpp"]

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("annotated_src.torch.csrc.autograd.engine") is None, reason="needs autograd"
)

EXPRESSIONS = """
F.conv1d(x[:, :, 0], w1, b)
F.conv1d(x[:, :, 0], w1, b, stride=2, padding=1)
F.conv2d(x, w)
F.conv2d(x, w, b, padding=1)
F.conv2d(x, w, b, stride=(2, 1), dilation=2, padding=2)
F.conv2d(x, w[:, :2], b, groups=2)
F.conv2d(x, w, padding="same")
F.conv2d(x.detach(), w, b)
F.conv2d(x, w.detach())
F.conv3d(y, v, stride=2, padding=1)
F.conv_transpose1d(x[:, :, 0], w1[:4])
F.conv_transpose2d(x, w[:4], stride=2, padding=1, output_padding=1)
F.conv_transpose2d(x, w[:4], b[:4])
F.max_pool1d(x[0], 2)
F.max_pool2d(x, 2)
F.max_pool2d(x, 3, 2, 1)
F.max_pool2d(x, 3, 1, dilation=2)
F.max_pool3d(y, 2)
F.avg_pool1d(x[0], 2)
F.avg_pool2d(x, 2)
F.avg_pool2d(x, 3, 2, 1, True, False)
F.avg_pool3d(y, 2, 1)
F.adaptive_avg_pool1d(x[0], 3)
F.adaptive_avg_pool2d(x, 1)
F.adaptive_avg_pool2d(x, (3, 4))
F.adaptive_avg_pool3d(y, 2)
F.adaptive_max_pool1d(x[0], 3)
F.adaptive_max_pool2d(x, (3, 4))
F.adaptive_max_pool3d(y, 2)
F.lp_pool2d(x.abs() + 0.1, 2, 2)
F.pad(x, (1, 2))
F.pad(x, (-1, 2, 0, 1), value=3.0)
F.pad(x[0], (1, 2), "reflect")
F.pad(x, (1, 2, 0, 1), "reflect")
F.pad(y, (1, 2, 0, 1, 1, 0), "reflect")
F.pad(x[0], (1, 2), "replicate")
F.pad(x, (1, 2, 0, 1), "replicate")
F.pad(y, (1, 2, 0, 1, 1, 0), "replicate")
F.pad(x, (1, 2, 0, 1), "circular")
F.interpolate(x[0], 5)
F.interpolate(x, 5)
F.interpolate(x, scale_factor=2)
F.interpolate(y, 5)
F.interpolate(x[0], 5, mode="nearest-exact")
F.interpolate(x, 5, mode="nearest-exact")
F.interpolate(y, 5, mode="nearest-exact")
F.interpolate(x[0], 5, mode="linear")
F.interpolate(x, 5, mode="bilinear")
F.interpolate(x, scale_factor=1.7, mode="bilinear", align_corners=True)
F.interpolate(y, 5, mode="trilinear")
F.interpolate(x, 5, mode="bicubic")
F.interpolate(x, 3, mode="area")
F.unfold(x, 2)
F.unfold(x, (3, 2), 2, 1, (2, 1))
F.fold(y.flatten(2), (12, 8), (3, 1))
F.pixel_shuffle(x, 2)
F.pixel_unshuffle(x[:, :, :, :6], 3)
""".strip().splitlines()


def scope(torch):
    names = {
        "x": ramp(torch, 2, 4, 6, 7, dtype=torch.float64),
        "y": ramp(torch, 1, 3, 4, 5, 4, dtype=torch.float64),
        "w": ramp(torch, 6, 4, 3, 3, dtype=torch.float64),
        "w1": ramp(torch, 6, 4, 3, dtype=torch.float64),
        "v": ramp(torch, 2, 3, 2, 3, 2, dtype=torch.float64),
        "b": ramp(torch, 6, dtype=torch.float64),
    }
    return {"torch": torch, "F": torch.nn.functional, **{name: x.requires_grad_() for name, x in names.items()}}


def one_number(torch, tensor):
    """A number to which every element counts differently, and not linearly."""
    weights = torch.arange(1.0, tensor.numel() + 1, dtype=torch.float64).cos().reshape(tensor.shape)
    return (tensor * tensor * weights).sum()


def nodes(function):
    """The names of the nodes from here to the leaves, in a fixed order."""
    found, waiting = [], [function]
    while waiting:
        node = waiting.pop()
        if node is not None:
            found.append(type(node).__name__)
            waiting += [following for following, _ in node.next_functions]
    return found


def plain_value(value):
    """What can be compared: upstream shows some negative numbers as unsigned ones."""
    if isinstance(value, tuple):
        return tuple(plain_value(item) for item in value)
    if type(value) is int:
        return value % 2**64
    return value.detach() if hasattr(value, "detach") else value


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_gradients(oracle, expression):
    def case(torch):
        names = scope(torch)
        leaves = [names[name] for name in ("x", "y", "w", "w1", "v", "b")]
        output = eval(expression, names)
        node = output.grad_fn
        saved = {name: plain_value(getattr(node, name)) for name in sorted(dir(node)) if name.startswith("_saved_")}
        first = torch.autograd.grad(one_number(torch, output), leaves, create_graph=True, allow_unused=True)
        again = [grad for grad in first if grad is not None and grad.requires_grad]
        total = sum(one_number(torch, grad) for grad in again)
        second = torch.autograd.grad(total, leaves, allow_unused=True)
        return nodes(node), saved, [plain_value(grad) for grad in first], [plain_value(grad) for grad in second]

    oracle.same(case, rtol=1e-7, atol=1e-7)


def test_a_step_of_a_convolutional_net(oracle):
    def case(torch):
        F, names = torch.nn.functional, scope(torch)
        x, w, b = names["x"], names["w"], names["b"]
        hidden = F.max_pool2d(F.relu(F.conv2d(x, w, b, padding=1)), 2)
        loss = F.cross_entropy(F.adaptive_avg_pool2d(hidden, 1).flatten(1), torch.tensor([1, 3]))
        loss.backward()
        return nodes(loss.grad_fn), loss.detach(), x.grad, w.grad, b.grad

    oracle.same(case, rtol=1e-7, atol=1e-9)

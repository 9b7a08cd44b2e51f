"""A training step, forward and backward: a perceptron, a small convolutional net, and what recording the graph costs.

Beside upstream stand DeZero, HIPS autograd and tinygrad's CPU back end, where they are installed.
"""

import numpy

from tests.benchmarks.timing import versus

BATCH = 128


def run(ours, theirs):
    """Ratios to upstream; then to the other libraries."""
    yield versus("small tensor: w * x with its node", _recorded(ours), _recorded(theirs), 5, repeat=3000)
    yield versus("chain of 10000 additions, backward", _chain(ours), _chain(theirs), 10, rounds=5)
    mlp, net = _mlp(ours), _conv_net(ours)
    yield versus("MLP 784-256-128-10, batch 128, a step", mlp, _mlp(theirs), 1.5, repeat=20)
    yield versus("conv net, two 3x3 layers, 32x3x32x32, a step", net, _conv_net(theirs), 3.5, repeat=5)
    for name, (make_mlp, make_net) in OTHERS.items():
        try:
            their_mlp, their_net = make_mlp(), make_net()
            their_mlp(), their_net()
        except (ImportError, RuntimeError) as error:
            print(f"{name}: left out, {error}")
            continue
        yield versus(f"MLP step beside {name}", mlp, their_mlp, 1)
        yield versus(f"conv net step beside {name}", net, their_net, 1)


def _recorded(torch):
    w = torch.ones(4, 4, requires_grad=True)
    x = torch.ones(4, 4)
    return lambda: w * x


def _chain(torch):
    def chain():
        x = start = torch.ones(1, requires_grad=True)
        for _ in range(10_000):
            x = x + 1
        x.backward()
        return start.grad

    return chain


def _parameters(sizes):
    generator = numpy.random.default_rng(0)
    return [
        (generator.standard_normal((out, size), "float32") * 0.05, numpy.zeros(out, "float32"))
        for size, out in zip(sizes, sizes[1:], strict=False)
    ]


def _batch():
    generator = numpy.random.default_rng(1)
    return generator.standard_normal((BATCH, 784), "float32"), generator.integers(0, 10, BATCH)


def _mlp(torch):
    functional = torch.nn.functional
    layers = [[torch.tensor(array, requires_grad=True) for array in pair] for pair in _parameters((784, 256, 128, 10))]
    images, labels = map(torch.from_numpy, _batch())

    def step():
        hidden = images
        for weight, bias in layers[:-1]:
            hidden = functional.relu(functional.linear(hidden, weight, bias))
        loss = functional.cross_entropy(functional.linear(hidden, *layers[-1]), labels)
        loss.backward()
        with torch.no_grad():
            for pair in layers:
                for parameter in pair:
                    parameter -= 0.1 * parameter.grad
                    parameter.grad = None

    return step


def _filters_and_images():
    generator = numpy.random.default_rng(0)
    shapes = ((16, 3, 3, 3), (32, 16, 3, 3))
    filters = [generator.standard_normal(shape, "float32") * numpy.float32(0.1) for shape in shapes]
    return filters, generator.standard_normal((32, 3, 32, 32), "float32")


def _conv_net(torch):
    functional = torch.nn.functional
    filters, images = _filters_and_images()
    weights = [torch.tensor(array, requires_grad=True) for array in filters]
    images = torch.tensor(images)

    def step():
        hidden = functional.max_pool2d(functional.relu(functional.conv2d(images, weights[0], padding=1)), 2)
        hidden = functional.max_pool2d(functional.relu(functional.conv2d(hidden, weights[1], padding=1)), 2)
        hidden.mean().backward()
        for weight in weights:
            weight.grad = None

    return step


def _hips_autograd():
    import autograd
    import autograd.numpy as np

    parameters = _parameters((784, 256, 128, 10))
    images, labels = _batch()

    def loss(parameters):
        hidden = images
        for weight, bias in parameters[:-1]:
            hidden = np.maximum(np.dot(hidden, weight.T) + bias, 0)
        scores = np.dot(hidden, parameters[-1][0].T) + parameters[-1][1]
        scores = scores - np.max(scores, axis=1, keepdims=True)
        chances = scores - np.log(np.sum(np.exp(scores), axis=1, keepdims=True))
        return -np.mean(chances[np.arange(BATCH), labels])

    gradient = autograd.grad(loss)

    def step():
        for pair, grads in zip(parameters, gradient(parameters), strict=True):
            for parameter, grad in zip(pair, grads, strict=True):
                parameter -= 0.1 * grad

    return step


def _hips_conv_net():
    """Convolution as one product of all patches with the filters: HIPS autograd's own goes through SciPy, slowly."""
    import autograd
    import autograd.numpy as np

    filters, images = _filters_and_images()

    def convolve(x, weight):
        n, channels, height, width = x.shape
        x = np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1)), "constant")
        shifted = [x[:, :, i : i + height, j : j + width] for i in range(3) for j in range(3)]
        patches = np.stack(shifted, 2).reshape(n, channels * 9, height * width)
        return np.matmul(weight.reshape(len(weight), -1), patches).reshape(n, len(weight), height, width)

    def pool(x):
        n, channels, height, width = x.shape
        return np.max(x.reshape(n, channels, height // 2, 2, width // 2, 2), axis=(3, 5))

    def mean(filters):
        hidden = images
        for weight in filters:
            hidden = pool(np.maximum(convolve(hidden, weight), 0))
        return np.mean(hidden)

    gradient = autograd.grad(mean)
    return lambda: gradient(filters)


def _dezero():
    # Older than NumPy 1.24, whose name for Python's int it still uses.
    numpy.int = int
    import dezero
    import dezero.functions as functions

    layers = [[dezero.Parameter(array) for array in (weight.T.copy(), bias)] for weight, bias in
              _parameters((784, 256, 128, 10))]  # fmt: skip
    images, labels = _batch()

    def step():
        hidden = dezero.Variable(images)
        for weight, bias in layers[:-1]:
            hidden = functions.relu(functions.linear(hidden, weight, bias))
        loss = functions.softmax_cross_entropy(functions.linear(hidden, *layers[-1]), labels)
        for pair in layers:
            for parameter in pair:
                parameter.cleargrad()
        loss.backward()
        for pair in layers:
            for parameter in pair:
                parameter.data -= 0.1 * parameter.grad.data

    return step


def _dezero_conv_net():
    numpy.int = int
    import dezero
    import dezero.functions as functions

    filters, images = _filters_and_images()
    weights = [dezero.Parameter(array) for array in filters]

    def step():
        hidden = dezero.Variable(images)
        for weight in weights:
            weight.cleargrad()
            hidden = functions.pooling(functions.relu(functions.conv2d(hidden, weight, pad=1)), 2, 2)
        (functions.sum(hidden) / hidden.size).backward()

    return step


def _tinygrad():
    from tinygrad import Tensor

    layers = [[Tensor(array).is_param_() for array in pair] for pair in _parameters((784, 256, 128, 10))]
    images, labels = (Tensor(array).realize() for array in _batch())

    def step():
        hidden = images
        for weight, bias in layers[:-1]:
            hidden = hidden.linear(weight.T, bias).relu()
        loss = hidden.linear(layers[-1][0].T, layers[-1][1]).sparse_categorical_crossentropy(labels)
        loss.backward()
        for pair in layers:
            for parameter in pair:
                parameter.assign(parameter.detach() - 0.1 * parameter.grad).realize()
                parameter.grad = None

    return step


def _tinygrad_conv_net():
    from tinygrad import Tensor

    filters, images = _filters_and_images()
    weights = [Tensor(array).is_param_() for array in filters]
    images = Tensor(images).realize()

    def step():
        hidden = images
        for weight in weights:
            hidden = hidden.conv2d(weight, padding=1).relu().max_pool2d()
        hidden.mean().backward()
        for weight in weights:
            weight.grad.realize()
            weight.grad = None

    return step


# The perceptron and the convolutional net of each.
OTHERS = {
    "HIPS autograd": (_hips_autograd, _hips_conv_net),
    "DeZero": (_dezero, _dezero_conv_net),
    "tinygrad": (_tinygrad, _tinygrad_conv_net),
}

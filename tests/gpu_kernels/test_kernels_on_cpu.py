"""The CUDA kernels, run on the CPU through their own host functions, beside NumPy and upstream.

Each is run with the threads in several orders, and must give the same bits in all of them.
"""

import numpy
import pytest

from annotated_src.aten.native.cuda import add, fused_adam_impl, launch, multi_tensor_apply, reduce, soft_max
from annotated_src.walkthrough.cuda_on_cpu import nvrtc, run
from tests.kernels import in_all_orders, need_compiler, need_cuda_compiler

COVERS = [
    "aten/native/cuda/add.py",
    "aten/native/cuda/fused_adam_impl.py",
    "aten/native/cuda/multi_tensor_apply.py",
    "aten/native/cuda/reduce.py",
    "aten/native/cuda/soft_max.py",
]


@pytest.fixture
def compiler():
    need_compiler()


def numbers(*shape, seed=0):
    return numpy.random.default_rng(seed).standard_normal(shape).astype(numpy.float32)


def beside(oracle, ours, theirs, **tolerances):
    """`ours()` equals what `theirs(torch)` gives upstream; both give NumPy arrays."""
    oracle.same(lambda torch: ours() if torch.__name__.startswith("annotated_src") else theirs(torch), **tolerances)


# -- add


def run_add(x, y, alpha):
    def compute(launch):
        out = numpy.full_like(x, numpy.nan)
        add.add_kernel(x, y, alpha, out, launch)
        return out

    return in_all_orders(compute)


@pytest.mark.parametrize("size", [0, 1, 31, 32, 33, 1023, 1024, 1025, 5000])
def test_add(compiler, size):
    x, y = numbers(size), numbers(size, seed=1)
    numpy.testing.assert_array_equal(run_add(x, y, 0.5), x + numpy.float32(0.5) * y)


def test_add_strides_over_what_the_grid_does_not_cover(compiler, monkeypatch):
    monkeypatch.setattr(add, "MAX_BLOCKS", 2)
    assert add.GET_BLOCKS(10_000) == 2
    x, y = numbers(10_000), numbers(10_000, seed=1)
    numpy.testing.assert_array_equal(run_add(x, y, 1), x + y)


def test_add_into_one_of_its_operands(compiler):
    x, y = numbers(100), numbers(100, seed=1)
    expected = x + y
    add.add_kernel(x, y, 1, x, run.Launcher())
    numpy.testing.assert_array_equal(x, expected)


# -- sum


def run_sum(x):
    def compute(launch):
        output = numpy.full(len(x), numpy.nan, numpy.float32)
        reduce.sum_kernel_cuda(x, output, lambda shape: numpy.empty(shape, numpy.float32), launch)
        return output

    return in_all_orders(compute)


@pytest.mark.parametrize(
    "shape", [(0, 5), (1, 0), (3, 0), (1, 1), (5, 31), (4, 32), (2, 33), (3, 512), (2, 1000), (1, 8193), (2, 100_001)]
)
def test_sum(compiler, shape):
    x = numbers(*shape)
    numpy.testing.assert_allclose(run_sum(x), x.sum(1, dtype=numpy.float64), rtol=1e-5, atol=1e-4)


def test_a_long_sum_is_shared_by_blocks():
    assert reduce.ReduceConfig(1, 100_001).grid() == (1, 13)
    assert reduce.ReduceConfig(7, 100).grid() == (7, 1)
    assert reduce.ReduceConfig(7, 100).block() == (128,)
    # The parts are summed by one block.
    assert reduce.ReduceConfig(1, reduce.MAX_CTAS_PER_OUTPUT).ctas_per_output == 1


def test_sum_is_upstreams(compiler, oracle):
    def theirs(torch):
        return torch.from_numpy(numbers(4, 1000)).sum(1).numpy()

    beside(oracle, lambda: run_sum(numbers(4, 1000)), theirs, rtol=1e-5, atol=1e-5)


# -- softmax


def run_softmax(x, is_log_softmax=False):
    def compute(launch):
        output = numpy.full_like(x, 7)
        soft_max.host_softmax(x, output, is_log_softmax, launch)
        return output

    return in_all_orders(compute)


@pytest.mark.parametrize("shape", [(0, 3), (2, 0), (1, 1), (4, 5), (3, 32), (3, 33), (2, 1000), (2, 1024), (2, 2500)])
def test_softmax(compiler, shape):
    x = 10 * numbers(*shape)
    found = run_softmax(x)
    if x.size:
        exp = numpy.exp(x - x.max(1, keepdims=True), dtype=numpy.float64)
        numpy.testing.assert_allclose(found, exp / exp.sum(1, keepdims=True), rtol=2e-5, atol=1e-30)


def test_softmax_takes_a_float_for_each_warp():
    def noted(path, name, grid, block, args, shared_mem=0):
        assert (name, grid, block, shared_mem) == ("softmax_forward", (3,), (1024,), 128)

    soft_max.host_softmax(numbers(3, 5000), numbers(3, 5000), False, noted)
    assert [soft_max.SoftMaxForward_getBlockSize(size) for size in (1, 32, 33, 1000, 1024, 9999)] == [
        32,
        32,
        64,
        1024,
        1024,
        1024,
    ]


ROWS = [[1e4, -1e4, 0.0], [-numpy.inf, 0.0, 1.0], [numpy.nan, 0.0, 1.0], [-numpy.inf] * 3, [numpy.inf, 0.0, 1.0]]


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
def test_softmax_is_upstreams(compiler, oracle, name):
    x = numpy.concatenate([numbers(3, 40), numpy.resize(numpy.float32(ROWS), (5, 40))])

    def theirs(torch):
        return getattr(torch, name)(torch.from_numpy(x), 1).numpy()

    beside(oracle, lambda: run_softmax(x, name == "log_softmax"), theirs, rtol=1e-5, atol=1e-6)


# -- Adam

SIZES = [1, 7, 513, 0, 2049]
SETTINGS = {
    "plain": {},
    "weight_decay": {"weight_decay": 0.1},
    "maximize": {"maximize": True, "lr": 0.1, "betas": (0.8, 0.9), "eps": 1e-3},
}


def gradient(size, step):
    return numbers(size, seed=100 * size + step)


def run_adam(kernel, sizes, steps, launch, lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.0, maximize=False):
    """The parameters after some steps of the kernel, from the same beginning as `torch_adam`."""
    params = [numbers(size, seed=size) for size in sizes]
    exp_avgs = [numpy.zeros_like(param) for param in params]
    exp_avg_sqs = [numpy.zeros_like(param) for param in params]
    state_steps = [numpy.zeros((), numpy.float32) for _ in params]
    for step in range(steps):
        grads = [gradient(size, step) for size in sizes]
        for state_step in state_steps:
            state_step += 1
        kernel(
            *(params, grads, exp_avgs, exp_avg_sqs, state_steps),
            **{"lr": lr, "beta1": betas[0], "beta2": betas[1], "eps": eps},
            **{"weight_decay": weight_decay, "maximize": maximize, "launch": launch},
        )
    return params


def torch_adam(torch, name, how, settings, sizes, steps):
    params = [torch.from_numpy(numbers(size, seed=size)).requires_grad_() for size in sizes]
    optimizer = getattr(torch.optim, name)(params, **settings, **{how: True})
    for step in range(steps):
        for size, param in zip(sizes, params, strict=True):
            param.grad = torch.from_numpy(gradient(size, step))
        optimizer.step()
    return [param.detach().numpy() for param in params]


def sampled(params):
    """Few enough numbers to keep: the first 40 of each."""
    return [param[:40] for param in params]


@pytest.mark.parametrize("how", ["foreach", "fused"])
@pytest.mark.parametrize("settings", SETTINGS)
def test_adam_is_upstreams(compiler, oracle, settings, how):
    chosen = SETTINGS[settings]
    kernel = fused_adam_impl._fused_adam_cuda_impl_

    def ours():
        return sampled(in_all_orders(lambda launch: run_adam(kernel, SIZES, 4, launch, **chosen)))

    beside(oracle, ours, lambda torch: sampled(torch_adam(torch, "Adam", how, chosen, SIZES, 4)))


def test_adamw_is_upstreams(compiler, oracle):
    chosen = {"weight_decay": 0.1, "lr": 0.05}
    kernel = fused_adam_impl._fused_adamw_cuda_impl_

    def ours():
        return sampled(in_all_orders(lambda launch: run_adam(kernel, SIZES, 3, launch, **chosen)))

    beside(oracle, ours, lambda torch: sampled(torch_adam(torch, "AdamW", "fused", chosen, SIZES, 3)))


def by_numpy(size, steps):
    """Adam as its paper has it."""
    param, average, square = numbers(size, seed=size).astype(float), 0.0, 0.0
    for step in range(1, steps + 1):
        grad = gradient(size, step - 1).astype(float)
        average = 0.9 * average + 0.1 * grad
        square = 0.999 * square + 0.001 * grad * grad
        param -= 1e-3 * average / (1 - 0.9**step) / (numpy.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return param


def test_adam_over_more_chunks_than_one_and_more_tensors_than_a_launch_takes(compiler):
    # 36 tensors fill a launch; the second to last has three chunks, the last of which is short.
    sizes = [3] * 39 + [2 * multi_tensor_apply.kChunkSize + 5, 4]
    launches = []
    on_cpu = run.Launcher("shuffled")

    def counted(path, name, grid, block, args, shared_mem=0):
        launches.append(grid)
        on_cpu(path, name, grid, block, args, shared_mem)

    found = run_adam(fused_adam_impl._fused_adam_cuda_impl_, sizes, 2, counted)
    assert launches == [(36,), (7,)] * 2
    for size, param in zip(sizes, found, strict=True):
        numpy.testing.assert_allclose(param, by_numpy(size, 2), rtol=1e-5, atol=1e-6)


def test_every_chunk_goes_out_once():
    # (without their memory)
    sizes = [5, 0, 330 * multi_tensor_apply.kChunkSize + 1, 65536, 65537, *[1] * 80]
    tensors = [numpy.broadcast_to(numpy.zeros(1, numpy.float32), (size,)) for size in sizes]
    steps = [numpy.zeros(1, numpy.float32) for _ in sizes]
    lists = [tensors, *[[numpy.broadcast_to(numpy.zeros(1, numpy.float32), t.shape) for t in tensors] for _ in "abc"]]
    chunks = []

    def noted(tl, blocks):
        assert 0 < blocks <= multi_tensor_apply.MAX_BLOCKS
        for block in range(blocks):
            loc = tl["block_to_tensor"][0, block]
            assert loc < multi_tensor_apply.MAX_TENSORS
            key = [int(address) for address in tl["addresses"][0, :, loc]]
            step = int(tl["state_steps_addresses"][0, loc])
            chunks.append((key, int(tl["numel_for_tensor"][0, loc]), step, int(tl["block_to_chunk"][0, block])))

    multi_tensor_apply.multi_tensor_apply_for_fused_optimizer(lists, steps, noted)
    expected = [
        ([launch.data_ptr(one[i]) for one in lists], size, launch.data_ptr(steps[i]), chunk)
        for i, size in enumerate(sizes)
        for chunk in range(-(-size // multi_tensor_apply.kChunkSize))
    ]
    assert chunks == expected


# -- compiled for a card

FILES = sorted(launch.HERE.glob("*.cu"))
# Instructions that make a kernel what it is.
EXPECTED = {
    "add.cu": {"fma.rn.f32", "ld.global", "st.global"},
    "ReduceSumProdKernel.cu": {"shfl.sync.down", "bar.sync", "st.shared", ".shared .align 4"},
    "SoftMax.cu": {"shfl.sync.down", "bar.sync", "ex2.approx", ".extern .shared"},
    "fused_adam_impl.cu": {"sqrt.rn.f32", "div.rn.f32", "fma.rn.f32"},
}


@pytest.mark.parametrize("arch", nvrtc.ARCHITECTURES)
@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_ptx(path, arch):
    need_cuda_compiler()
    text = nvrtc.ptx(path, arch)
    assert f".target {arch}" in text
    for name in run.kernels_of(path):
        assert f".entry {name}(" in text
    missing = [instruction for instruction in EXPECTED[path.name] if instruction not in text]
    assert missing == []


def test_source_that_is_not_cuda_is_refused(tmp_path):
    need_cuda_compiler()
    source = tmp_path / "wrong.cu"
    source.write_text('extern "C" __global__ void wrong(float* x) { x[0] = nothing; }\n')
    with pytest.raises(run.KernelError, match="wrong.cu does not compile for sm_90(.|\n)*nothing"):
        nvrtc.ptx(source)

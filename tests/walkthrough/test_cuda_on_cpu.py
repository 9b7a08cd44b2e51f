"""cuda_on_cpu: CUDA's words mean on the CPU what they mean on a card, and what is undefined there is an error here."""

import os
import pathlib
import sys

import numpy
import pytest

from annotated_src.walkthrough.cuda_on_cpu import nvrtc, run
from tests.kernels import ORDERS, in_all_orders, need_compiler, need_cuda_compiler

FOLDER = pathlib.Path(__file__).with_name("cuda")
PRIMITIVES = FOLDER / "primitives.cu"
FAULTS = FOLDER / "faults.cu"


@pytest.fixture
def compiler():
    need_compiler()


def launched(name, grid, block, arguments, outputs, shared_mem=0, path=PRIMITIVES):
    """The kernel's outputs, (size, dtype) each, the same in every order; arguments first."""

    def compute(launch):
        made = [numpy.zeros(size, dtype) for size, dtype in outputs]
        launch(path, name, grid, block, (*arguments, *made), shared_mem)
        return made

    return in_all_orders(compute)


def fault(name, block, arguments, grid=(1,), shared_mem=0, order="ascending"):
    """The message that a launch ends with."""
    with pytest.raises(run.KernelError) as caught:
        run.Launcher(order)(FAULTS, name, grid, block, arguments, shared_mem)
    return str(caught.value)


def test_indices_have_three_dimensions(compiler):
    (out,) = launched("indices", (2, 3, 4), (5, 2, 3), (), [(24 * 30, numpy.int32)])
    z, y, x = numpy.mgrid[:3, :2, :5]
    of_a_block = (100 * z + x + 5 * (y + 2 * z)).ravel()
    for block in range(24):
        numpy.testing.assert_array_equal(out[block * 30 : block * 30 + 30], 1000 * (block // 6) + of_a_block)


@pytest.mark.parametrize("width", [32, 8])
def test_shuffles(compiler, width):
    lanes = numpy.arange(64)
    values = (lanes * 7 + 1).astype(numpy.int32)
    (out,) = shuffled(values, width)
    within, first = lanes % width, lanes - lanes % width
    down = numpy.where(within + 3 < width, lanes + 3, lanes)
    up = numpy.where(within >= 3, lanes - 3, lanes)
    # xor may reach into an earlier group of the warp, not into a later one.
    xor = numpy.where((lanes ^ 5) < first + width, lanes ^ 5, lanes)
    same = first + 9 % width
    for row, source in zip(out.reshape(4, 64), (down, up, xor, same), strict=True):
        numpy.testing.assert_array_equal(row, values[source])


def shuffled(values, width):
    def compute(launch):
        out = numpy.zeros(4 * values.size, numpy.int32)
        launch(PRIMITIVES, "shuffles", (1,), (values.size,), (values, out, numpy.int32(width)))
        return [out]

    return in_all_orders(compute)


def test_halves_of_a_warp_shuffle_by_themselves(compiler):
    values = numpy.arange(32.0)
    (out,) = launched("halves", (1,), (32,), (values,), [(32, numpy.float64)])
    pairs = values + values[numpy.arange(32) ^ 1]
    low = pairs + pairs[numpy.arange(32) ^ 2]
    expected = numpy.where(numpy.arange(32) < 16, low, pairs)
    numpy.testing.assert_array_equal(out, expected[::-1])


@pytest.mark.parametrize("threads", [64, 48])
def test_votes(compiler, threads):
    predicates = (numpy.arange(threads) % 3 == 0).astype(numpy.int32)
    (out,) = launched("votes", (1,), (threads,), (predicates,), [(6 * threads, numpy.uint32)])
    ballots = [sum(1 << (t % 32) for t in range(w, min(w + 32, threads)) if t % 3 == 0) for w in (0, 32)]
    for thread, row in enumerate(out.reshape(threads, 6)):
        assert row.tolist() == [ballots[thread // 32], 1, 0, predicates.sum(), 1, 0]


def test_atomics(compiler):
    tickets = numpy.zeros(97, numpy.uint32)
    counts, total = numpy.zeros(4, numpy.int32), numpy.zeros(1, numpy.float32)
    run.Launcher("shuffled", 3)(PRIMITIVES, "atomics", (3,), (32,), (counts, total, tickets))
    assert counts[:3].tolist() == [96, 31, -31]
    assert 1 <= counts[3] <= 32
    assert total == 48
    # Each thread drew another number, and not in the order of the threads.
    assert sorted(tickets[:96]) == list(range(96))
    assert tickets[:96].tolist() != list(range(96))


def test_shared_memory(compiler):
    values = numpy.arange(64, dtype=numpy.float32) + 1
    (out,) = launched("reverse", (2,), (64,), (values,), [(64, numpy.float32)], shared_mem=256)
    numpy.testing.assert_array_equal(out, values - 64)


def test_shared_memory_begins_unwritten_in_each_block(compiler):
    (out,) = launched("unwritten", (5,), (1,), (), [(10, numpy.float32)], shared_mem=4)
    assert numpy.isnan(out).all()


def test_a_struct_goes_by_value(compiler):
    values = numpy.arange(5, dtype=numpy.float32)
    pair = numpy.zeros(1, numpy.dtype([("a", numpy.uint64), ("n", numpy.int32)], align=True))
    pair["a"], pair["n"] = values.ctypes.data, 5
    arguments = (pair, numpy.bool_(True), numpy.float64(0.5))
    (out,) = launched("by_value", (1,), (64,), arguments, [(5, numpy.float32)])
    numpy.testing.assert_array_equal(out, -0.5 * values)


def test_a_block_reduces_twice_in_the_same_memory(compiler):
    values = numpy.arange(256, dtype=numpy.float32)
    (out,) = launched("two_sums", (1,), (256,), (values,), [(2, numpy.float32)])
    assert out.tolist() == [values.sum(), 2 * values.sum()]


# -- races


def test_a_missing_barrier_gives_other_results_in_other_orders(compiler):
    values = numpy.arange(64, dtype=numpy.float32)
    results = set()
    for order, seed in ORDERS:
        out = numpy.zeros(64, numpy.float32)
        run.Launcher(order, seed)(FAULTS, "race", (1,), (64,), (values, out))
        results.add(out.tobytes())
    assert len(results) == len(ORDERS)


def test_the_same_seed_gives_the_same_order(compiler):
    values = numpy.arange(64, dtype=numpy.float32)
    first, second = numpy.zeros((2, 64), numpy.float32)
    for out in (first, second):
        run.Launcher("shuffled", 5)(FAULTS, "race", (1,), (64,), (values, out))
    assert first.tobytes() == second.tobytes()


# -- faults


@pytest.mark.parametrize("order", run.ORDERS)
def test_a_barrier_that_not_all_reach(compiler, order):
    out = numpy.zeros(64, numpy.int32)
    message = fault("barrier_in_a_branch", (64,), (out,), order=order)
    assert message.startswith("barrier_in_a_branch, block (0, 0, 0): a barrier that not all threads reach: ")
    assert "40 wait at __syncthreads (faults.cu:5) (the first: thread (0, 0, 0))" in message
    assert "24 returned (the first: thread (40, 0, 0))" in message


def test_two_barriers_are_not_one(compiler):
    message = fault("two_barriers", (8, 4), (numpy.zeros(32, numpy.int32),))
    assert "16 wait at __syncthreads (faults.cu:14)" in message
    assert "16 wait at __syncthreads (faults.cu:12) (the first: thread (1, 0, 0))" in message


def test_a_barrier_after_a_return(compiler):
    message = fault("barrier_after_a_return", (64,), (numpy.zeros(64, numpy.int32),))
    assert "33 wait at __syncthreads" in message and "31 returned" in message


def test_a_shuffle_that_not_all_reach(compiler):
    message = fault("shuffle_in_a_branch", (32,), (numpy.zeros(32, numpy.int32),))
    assert "a shuffle that not all lanes of its mask reach" in message
    assert "16 wait at __shfl_down_sync (faults.cu:28) with mask 0xffffffff (the first: thread (1, 0, 0))" in message
    assert "16 wait at __syncthreads" in message


def test_a_lane_outside_of_its_mask(compiler):
    message = fault("not_in_its_mask", (32,), (numpy.zeros(32, numpy.int32),))
    assert "thread (4, 0, 0): __shfl_xor_sync (faults.cu:35): lane 4 is not in its own mask 0x0000000f" in message


def test_a_lane_that_left_gives_nothing(compiler):
    (out,) = launched("from_a_lane_that_left", (1,), (32,), (), [(8, numpy.float32)], path=FAULTS)
    assert out[:4].tolist() == [4, 5, 6, 7]
    assert numpy.isnan(out[4:]).all()


@pytest.mark.parametrize(
    "at, where",
    [(1, "thread (31, 0, 0): uses an address 0 bytes behind the end of out"), (-1, "before the beginning of out")],
)
def test_an_address_outside_of_an_array(compiler, at, where):
    values, out = numpy.ones(32, numpy.float32), numpy.zeros(32, numpy.float32)
    assert where in fault("out_of_range", (32,), (values, out, numpy.int32(at)))


def test_an_address_far_outside_of_an_array(compiler):
    values, out = numpy.ones(32, numpy.float32), numpy.zeros(32, numpy.float32)
    assert "thread (0, 0, 0): uses the address 0x" in fault("out_of_range", (32,), (values, out, numpy.int32(2**30)))
    # The process goes on, and so do launches.
    run.Launcher()(FAULTS, "out_of_range", (1,), (32,), (values, out, numpy.int32(0)))
    assert out.tolist() == [1] * 32


def test_a_write_behind_the_shared_memory(compiler):
    message = fault("too_much_shared", (32,), (numpy.zeros(32, numpy.float32),), shared_mem=64)
    assert "a thread wrote at byte 64 of the dynamic shared memory, which has 64 bytes" in message


def test_a_full_stack(compiler):
    assert "(or its stack is full)" in fault("deep", (1,), (numpy.zeros(1, numpy.int32),))


# -- what a launch is given

FLOATS = numpy.zeros(64, numpy.float32)
READ_ONLY = numpy.zeros(64, numpy.float32)
READ_ONLY.flags.writeable = False
ONE = numpy.int32(1)


@pytest.mark.parametrize(
    "arguments, words",
    [
        ((FLOATS,), r"out_of_range takes 3 arguments \(in, out, at\), got 1"),
        ((FLOATS.astype(float), FLOATS, ONE), "in points to float32, got an array of float64"),
        ((FLOATS[::2], FLOATS, ONE), "in is not contiguous"),
        ((3.0, FLOATS, ONE), "in is a pointer, so it takes a NumPy array or None, got 3.0"),
        ((FLOATS, READ_ONLY, ONE), "out is written to, and the array is read-only"),
        ((FLOATS, FLOATS, 1), r"at is int32, got int64; say so, as in numpy.int32\(n\)"),
        ((FLOATS, FLOATS, FLOATS), "at is passed by value, got an array of 64 elements"),
        ((FLOATS[1:], FLOATS[:-1], ONE), "two of its arrays overlap"),
    ],
)
def test_wrong_arguments(compiler, arguments, words):
    with pytest.raises(run.KernelError, match=words):
        run.Launcher()(FAULTS, "out_of_range", (1,), (32,), arguments)


@pytest.mark.parametrize(
    "grid, block, shared_mem, words",
    [
        ((0,), (32,), 0, "must be 1 or more"),
        ((1,), (32, 33), 0, "1056 threads a block, and a card has 1024"),
        ((1,), (32,), 50_000, "a block has 49152 bytes"),
        ((1, 1, 1, 1), (32,), 0, "one to three sizes"),
    ],
)
def test_wrong_configurations(compiler, grid, block, shared_mem, words):
    with pytest.raises(run.KernelError, match=words):
        run.Launcher()(FAULTS, "out_of_range", grid, block, (FLOATS, FLOATS, ONE), shared_mem)


def test_wrong_names(compiler, tmp_path):
    with pytest.raises(run.KernelError, match="faults.cu has no kernel 'sum'; it has barrier_in_a_branch"):
        run.Launcher()(FAULTS, "sum", (1,), (32,), ())
    with pytest.raises(ValueError, match="order must be one of ascending, descending, shuffled, got 'random'"):
        run.Launcher("random")
    empty = tmp_path / "empty.cu"
    empty.write_text('// extern "C" __global__ void gone(int x) {}\n')
    with pytest.raises(run.KernelError, match="empty.cu has no kernel"):
        run.build(empty)


def test_source_that_does_not_compile(compiler, tmp_path):
    source = tmp_path / "wrong.cu"
    source.write_text('extern "C" __global__ void wrong(float* x) { x[0] = nothing; }\n')
    with pytest.raises(run.KernelError, match="wrong.cu does not compile(.|\n)*nothing"):
        run.build(source)


def test_a_change_in_an_included_file_is_compiled_again(compiler, tmp_path):
    (tmp_path / "value.cuh").write_text("constexpr int value = 1;\n")
    source = tmp_path / "a.cu"
    source.write_text('#include "value.cuh"\nextern "C" __global__ void give(int* out) { out[0] = value; }\n')
    out = numpy.zeros(1, numpy.int32)
    run.Launcher()(source, "give", (1,), (1,), (out,))
    (tmp_path / "value.cuh").write_text("constexpr int value = 2;\n")
    other = numpy.zeros(1, numpy.int32)
    run.Launcher()(source, "give", (1,), (1,), (other,))
    assert (out[0], other[0]) == (1, 2)


def test_the_cache_keeps_what_was_used_last(compiler, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(run, "_KEPT", 2)
    for number in range(3):
        source = tmp_path / f"k{number}.cu"
        source.write_text('extern "C" __global__ void give(int* out) { out[0] = 1; }\n')
        made = run.build(source)
        assert made == run.build(source)
        os.utime(made, (number, number))
    kept = sorted(path.name.partition("-")[0] for path in made.parent.iterdir())
    assert kept == ["k1", "k2"]
    assert run.build(tmp_path / "k0.cu", folder=tmp_path).parent == tmp_path


# These need no compiler.


def test_without_a_compiler_it_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CXX", raising=False)
    with pytest.raises(run.NoCompiler, match=r"install g\+\+ or clang\+\+"):
        run.Launcher()(PRIMITIVES, "indices", (1,), (1,), (numpy.zeros(1, numpy.int32),))
    monkeypatch.setattr(nvrtc, "nvrtc", lambda: None)
    with pytest.raises(nvrtc.NoCudaCompiler, match="pip install nvidia-cuda-nvrtc-cu12"):
        nvrtc.ptx(PRIMITIVES)


def test_kernels_are_found_by_their_declarations():
    assert run.kernels_of(PRIMITIVES)["by_value"] == ["pair", "negate", "scale", "out"]
    assert "reversed" not in run.kernels_of(PRIMITIVES)
    names = [path.name for path in run.sources_of(PRIMITIVES)]
    assert names == ["primitives.cu", "block_reduce.cuh"]


@pytest.mark.parametrize("path", [PRIMITIVES, FAULTS], ids=lambda path: path.name)
def test_the_test_kernels_are_cuda(path):
    # What is tested here is the language that a card's compiler takes.
    need_cuda_compiler()
    assert nvrtc.ptx(path).count(".entry") == len(run.kernels_of(path))


# -- the trace


def test_a_trace_tells_what_was_exchanged(compiler):
    launch = run.Launcher(traced=True)
    values = numpy.arange(64, dtype=numpy.float32)
    out = numpy.zeros(2, numpy.float32)
    launch(PRIMITIVES, "two_sums", (1,), (64,), (values, out))
    rows = launch.trace.rows
    first = rows[(rows["step"] == rows["step"].min()) & (rows["thread"] < 32)]
    assert first["gave"].tolist() == list(range(32))
    assert first["got"].tolist() == [*range(16, 32), *range(16, 32)]
    barriers = rows[rows["thread"] == -1]
    assert len(barriers) == len(launch.trace.memory) == 4
    if sys.platform == "linux" and launch.trace.memory[0]:
        shared = [memory["shared"].view(numpy.float32)[:2].tolist() for memory in launch.trace.memory]
        assert numpy.isnan(shared[0]).all()
        assert shared[1] == [sum(range(32)), sum(range(32, 64))]
        assert shared[3] == [2 * sum(range(32)), 2 * sum(range(32, 64))]

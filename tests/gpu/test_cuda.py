"""torch.cuda on a card: devices, streams, events, memory, graphs, generators, copies.

Without a card these run over the strict module, which shows that the calls reach CuPy's functions as they are called
there, and in which order. What upstream gives on a card cannot be asked here.
"""

import inspect

import pytest

from annotated_src.walkthrough.strict import cuda as strict_cuda
from tests.oracle import upstream_is_installed

COVERS = (
    "torch/cuda/__init__.py",
    "torch/cuda/_utils.py",
    "torch/cuda/graphs.py",
    "torch/cuda/memory.py",
    "torch/cuda/random.py",
    "torch/cuda/streams.py",
)

# -- signatures

FUNCTIONS = (
    "can_device_access_peer current_device current_stream default_stream device_count empty_cache "
    "get_device_capability get_device_name get_device_properties get_rng_state get_rng_state_all graph_pool_handle "
    "init initial_seed is_available is_bf16_supported is_current_stream_capturing is_initialized manual_seed "
    "manual_seed_all max_memory_allocated max_memory_reserved mem_get_info memory_allocated memory_reserved "
    "memory_stats memory_stats_as_nested_dict reset_peak_memory_stats seed seed_all set_device set_rng_state "
    "set_rng_state_all set_stream stream synchronize"
).split()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signatures(oracle, name):
    def case(torch):
        parameters = inspect.signature(getattr(torch.cuda, name)).parameters.values()
        return [(p.name, p.kind.name, repr(p.default)) for p in parameters]

    oracle.same(case)


@pytest.mark.parametrize(
    "name", ["Stream.__new__", "Event.__new__", "CUDAGraph.__new__", "CUDAGraph.capture_begin", "graph.__init__"]
)
def test_signatures_of_classes(oracle, name):
    owner, method = name.split(".")

    def case(torch):
        parameters = inspect.signature(getattr(getattr(torch.cuda, owner), method)).parameters.values()
        return [(p.name, p.kind.name, repr(p.default)) for p in parameters]

    oracle.same(case)


# -- devices


def test_devices(torch, card):
    assert torch.cuda.is_available()
    assert torch.cuda.device_count() >= 1
    assert torch.cuda.current_device() == 0
    assert torch.cuda.is_initialized()
    assert isinstance(torch.cuda.get_device_name(), str)
    major, minor = torch.cuda.get_device_capability("cuda:0")
    properties = torch.cuda.get_device_properties(torch.device("cuda", 0))
    assert (properties.major, properties.minor) == (major, minor)
    assert properties.total_memory > 0
    with pytest.raises(AssertionError, match="Invalid device id"):
        torch.cuda.get_device_properties(99)


def test_a_number_means_a_card(torch, card):
    assert torch.device(0) == torch.device("cuda:0")
    assert torch.zeros(2, device=0).device == torch.device("cuda:0")


def test_the_current_device(torch, log):
    strict_cuda.set_device_count(2)
    assert torch.cuda.device_count() == 2
    with torch.cuda.device(1):
        assert torch.cuda.current_device() == 1
        x = torch.zeros(2, device="cuda")
        with torch.cuda.device(-1):
            assert torch.cuda.current_device() == 1
    assert torch.cuda.current_device() == 0
    assert x.device == torch.device("cuda:1") and x.get_device() == 1
    with torch.cuda.device_of(x):
        assert torch.cuda.current_device() == 1
    with torch.cuda.device_of(torch.zeros(2, device="cpu")):
        assert torch.cuda.current_device() == 0
    torch.cuda.set_device("cuda:1")
    assert torch.cuda.current_device() == 1
    torch.cuda.set_device(0)
    assert torch.cuda.can_device_access_peer(0, 1)
    assert x.to("cuda:0").device == torch.device("cuda:0")


def test_a_device_context_is_left_by_an_error(torch, log):
    strict_cuda.set_device_count(2)
    with pytest.raises(KeyError):
        with torch.cuda.device(1):
            raise KeyError
    assert torch.cuda.current_device() == 0


# -- copies


def test_to_and_back(torch, card):
    x = torch.arange(6.0, device="cpu").reshape(2, 3)
    y = x.to("cuda")
    assert y.is_cuda and y.device == torch.device("cuda:0") and not x.is_cuda
    assert y.cuda() is y and y.to("cuda") is y and y.to("cuda:0") is y
    assert torch.equal(y.cpu(), x) and torch.equal(y.to("cpu"), x)
    assert y.to("cpu", torch.int64).tolist() == [[0, 1, 2], [3, 4, 5]]
    assert x.cuda().tolist() == x.tolist()


@pytest.mark.parametrize("non_blocking", [False, True])
@pytest.mark.parametrize("target", ["float32", "float64", "int32"])
def test_copies_of_every_layout(torch, card, non_blocking, target):
    dtype = getattr(torch, target)
    x = torch.arange(24.0, device="cpu").reshape(2, 3, 4)
    for source in (x, x.permute(2, 0, 1), x[:, ::2], x[:, :1].expand(2, 5, 4)):
        there = torch.empty(source.shape, dtype=dtype, device="cuda")
        there.copy_(source, non_blocking)
        back = torch.empty(source.shape, dtype=torch.float64, device="cpu").transpose(0, 2)
        back.copy_(there.transpose(0, 2), non_blocking)
        torch.cuda.synchronize()
        assert back.tolist() == source.transpose(0, 2).tolist()
        strided = torch.zeros(*source.shape, 2, dtype=dtype, device="cuda")
        strided[..., 1].copy_(source, non_blocking)
        assert strided[..., 1].tolist() == source.tolist()


def test_what_a_blocking_copy_does(torch, log):
    x = torch.ones(100, device="cpu")
    with log.recording() as there:
        y = x.to("cuda")
    assert [entry.kind for entry in there] == ["H2D", "synchronize"]
    with log.recording() as back:
        y.cpu()
    assert [entry.kind for entry in back] == ["D2H", "synchronize"]
    assert [entry.nbytes for entry in there + back if entry.nbytes] == [400, 400]


def test_a_non_blocking_copy_does_not_wait(torch, log):
    x = torch.ones(100, device="cpu").pin_memory()
    with log.recording() as entries:
        y = x.to("cuda", non_blocking=True)
        z = y.to("cpu", non_blocking=True)
    assert [entry.kind for entry in entries] == ["H2D", "D2H"]
    assert not any(entry.host_waits for entry in entries)
    # Nobody has waited: the numbers are not there yet.
    assert z.is_pinned() and z.sum().item() == 0
    torch.cuda.current_stream().synchronize()
    assert z.sum().item() == 100


def test_pinned_memory(torch, card):
    x = torch.arange(5.0, device="cpu")
    pinned = x.pin_memory()
    assert pinned.is_pinned() and not x.is_pinned()
    assert pinned.pin_memory() is pinned
    assert torch.equal(pinned, x)
    assert pinned[2:].is_pinned()
    assert torch.zeros(2, 3, pin_memory=True, device="cpu").is_pinned()
    assert not pinned.cuda().is_pinned()
    with pytest.raises(RuntimeError, match="cannot pin 'torch.cuda.FloatTensor' only dense CPU tensors can be pinned"):
        pinned.cuda().pin_memory()
    with pytest.raises(RuntimeError, match="Only dense CPU tensors can be pinned"):
        torch.zeros(2, pin_memory=True, device="cuda")


def test_gradients_cross_over(torch, card):
    x = torch.ones(3, device="cpu", requires_grad=True)
    pinned = x.pin_memory()
    assert pinned.grad_fn.name() == "PinMemoryBackward0"
    y = pinned.cuda()
    assert y.grad_fn.name() == "ToCopyBackward0"
    (y * y).sum().backward()
    assert x.grad.device == torch.device("cpu") and x.grad.tolist() == [2, 2, 2]


def test_a_loader_pins(torch, card):
    batches = list(torch.utils.data.DataLoader([torch.zeros(2, device="cpu")] * 4, batch_size=2, pin_memory=True))
    assert all(batch.is_pinned() for batch in batches)


# -- two devices in one call

MIXED = {
    "add": lambda torch, x, y: x + y,
    "add_": lambda torch, x, y: y.add_(x),
    "where": lambda torch, x, y: torch.where(x > 0, x, y),
    "mm": lambda torch, x, y: x @ y,
    "linear": lambda torch, x, y: torch.nn.functional.linear(x, y),
    "cat": lambda torch, x, y: torch.cat([x, y]),
    "gather": lambda torch, x, y: torch.gather(y, 1, torch.zeros(3, 1, dtype=torch.int64, device="cpu")),
    "embedding": lambda torch, x, y: torch.nn.functional.embedding(torch.zeros(2, dtype=torch.int64, device="cpu"), y),
    "nll_loss": lambda torch, x, y: torch.nn.functional.nll_loss(y, torch.zeros(3, dtype=torch.int64, device="cpu")),
    "addmm": lambda torch, x, y: torch.addmm(x, y, y),
    "softmax out": lambda torch, x, y: torch.exp(x, out=y),
}


SAME_DEVICE = "Expected all tensors to be on the same device, but found at least two devices"


@pytest.mark.parametrize("name", MIXED)
def test_two_devices_are_named(torch, card, name):
    x, y = torch.ones(3, 3, device="cpu"), torch.ones(3, 3, device="cuda")
    with pytest.raises(RuntimeError, match=SAME_DEVICE) as error:
        MIXED[name](torch, x, y)
    assert "cpu" in str(error.value) and "cuda:0" in str(error.value)


def test_what_may_be_on_two_devices(torch, card):
    y = torch.arange(3.0, device="cuda")
    assert (y + torch.tensor(2.0, device="cpu")).tolist() == [2, 3, 4]
    assert y[torch.tensor([2, 0], device="cpu")].tolist() == [2, 0]


def test_a_convolution_names_both_types(torch, card):
    both = r"Input type \(torch.FloatTensor\) and weight type \(torch.cuda.FloatTensor\) should be the same"
    with pytest.raises(RuntimeError, match=both):
        torch.nn.functional.conv2d(torch.ones(1, 1, 4, 4, device="cpu"), torch.ones(1, 1, 2, 2, device="cuda"))


# -- streams and events


def test_streams(torch, card):
    default = torch.cuda.default_stream()
    assert torch.cuda.current_stream() == default
    assert default.stream_id == 0 and default.cuda_stream == 0
    side = torch.cuda.Stream()
    assert side != default and side.device == torch.device("cuda:0") and side.device_index == 0
    assert repr(side) == f"<torch.cuda.Stream device=cuda:0 cuda_stream={side.cuda_stream:#x}>"
    with torch.cuda.stream(side) as nothing:
        assert nothing is None
        assert torch.cuda.current_stream() == side
        with torch.cuda.stream(None):
            assert torch.cuda.current_stream() == side
    assert torch.cuda.current_stream() == default
    with side as same:
        assert same is side and torch.cuda.current_stream() == side
    torch.cuda.set_stream(side)
    assert torch.cuda.current_stream() == side and hash(torch.cuda.current_stream()) == hash(side)
    torch.cuda.set_stream(default)
    assert side.__cuda_stream__() == (0, side.cuda_stream)
    assert side._as_parameter_.value == side.cuda_stream


def test_the_pool_has_32_streams(torch, card):
    streams = [torch.cuda.Stream() for _ in range(33)]
    assert len(set(streams)) == 32
    assert streams[32] == streams[0]
    assert torch.cuda.Stream(priority=-1).priority == -1


def test_streams_of_two_devices(torch, log):
    strict_cuda.set_device_count(2)
    other = torch.cuda.Stream("cuda:1")
    assert other.device == torch.device("cuda:1")
    with torch.cuda.stream(other):
        assert torch.cuda.current_device() == 1
        assert torch.cuda.current_stream() == other
        assert torch.cuda.current_stream(0) == torch.cuda.default_stream(0)
    assert torch.cuda.current_device() == 0
    assert torch.cuda.current_stream(1) == torch.cuda.default_stream(1)


def test_work_goes_to_the_current_stream(torch, log):
    side = torch.cuda.Stream()
    x = torch.ones(3, device="cuda")
    with log.recording() as entries:
        x + 1
        with torch.cuda.stream(side):
            x + 1
    assert entries[0].stream == 0 and entries[1].stream != 0


def test_one_stream_waits_for_another(torch, log):
    side = torch.cuda.Stream()
    x = torch.ones(3, device="cuda")
    with log.recording() as entries:
        with torch.cuda.stream(side):
            y = x * 2
        torch.cuda.current_stream().wait_stream(side)
        y + 1
    assert [entry.kind for entry in entries] == ["launch", "record", "wait", "launch"]
    assert entries[1].event == entries[2].event
    assert entries[1].stream == entries[0].stream and entries[2].stream == entries[3].stream == 0
    assert not any(entry.host_waits for entry in entries)


def test_waiting_passes_on(torch, log):
    """What is done for one stream includes what that stream waits for."""
    first, second = torch.cuda.Stream(), torch.cuda.Stream()
    x = torch.ones(3, device="cuda")
    with torch.cuda.stream(first):
        for _ in range(5):
            x * 2
        event = first.record_event()
    second.wait_event(event)
    assert not first.query()
    second.synchronize()
    assert event.query() and first.query()


def test_events(torch, card):
    event = torch.cuda.Event()
    assert repr(event) == "<torch.cuda.Event uninitialized>"
    assert event.query() and event.device is None and event.cuda_event == 0
    event.synchronize()
    event.wait()
    event.record()
    assert event.device == torch.device("cuda:0")
    assert repr(event) == f"<torch.cuda.Event {event.cuda_event:#x}>"
    event.synchronize()
    assert event.query()
    assert torch.cuda.current_stream().record_event(event) is event


def test_elapsed_time(torch, card):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    with pytest.raises(ValueError, match="Both events must be created with argument 'enable_timing=True'."):
        torch.cuda.Event().elapsed_time(end)
    with pytest.raises(ValueError, match="Both events must be recorded before calculating elapsed time."):
        start.elapsed_time(end)
    start.record()
    x = torch.ones(100, 100, device="cuda") @ torch.ones(100, 100, device="cuda")
    end.record()
    end.synchronize()
    assert x.sum().item() == 1e6
    assert start.elapsed_time(end) > 0


def test_times_of_what_is_not_done(torch, log):
    start, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    start.record()
    torch.ones(3, device="cuda") + 1
    end.record()
    with pytest.raises(RuntimeError, match="Both events must be completed before calculating elapsed time."):
        start.elapsed_time(end)


def test_an_event_stays_on_its_device(torch, log):
    strict_cuda.set_device_count(2)
    event = torch.cuda.Event()
    event.record()
    with pytest.raises(RuntimeError, match="Event device 0 does not match recording stream's device 1"):
        event.record(torch.cuda.Stream("cuda:1"))


def test_a_loop_of_questions_ends(torch, log):
    torch.ones(3, device="cuda") + 1
    event = torch.cuda.current_stream().record_event()
    questions = 0
    while not event.query():
        questions += 1
    assert questions > 0


# -- memory


def test_memory(torch, card):
    torch.cuda.init()
    torch.cuda.empty_cache()
    before = torch.cuda.memory_allocated()
    x = torch.zeros(1000, 1000, device="cuda")
    assert torch.cuda.memory_allocated() - before >= 4_000_000
    view = x[10:]
    del x
    assert torch.cuda.memory_allocated() - before >= 4_000_000
    del view
    assert torch.cuda.memory_allocated() == before
    assert torch.cuda.memory_reserved() >= before + 4_000_000
    assert torch.cuda.max_memory_allocated() >= before + 4_000_000
    torch.cuda.reset_peak_memory_stats()
    assert torch.cuda.max_memory_allocated() == before
    torch.cuda.empty_cache()
    assert torch.cuda.memory_reserved() < before + 4_000_000
    nested = torch.cuda.memory_stats_as_nested_dict()
    assert torch.cuda.memory_stats()["allocated_bytes.all.current"] == nested["allocated_bytes"]["all"]["current"]
    free, total = torch.cuda.mem_get_info()
    assert 0 < free <= total


def test_out_of_memory(torch, log, monkeypatch):
    torch.cuda.init()

    def full(size):
        raise MemoryError

    monkeypatch.setattr(strict_cuda.default_memory_pool, "malloc", full)
    with pytest.raises(torch.OutOfMemoryError, match="CUDA out of memory. Tried to allocate 400 bytes"):
        torch.zeros(100, device="cuda")


# -- starting


def test_nothing_starts_before_it_is_needed(torch, log):
    assert not torch.cuda.is_initialized()
    assert torch.cuda.is_available() and torch.cuda.device_count() == 1
    torch.manual_seed(5)
    assert not torch.cuda.is_initialized() and torch.cuda.memory_allocated() == 0
    torch.zeros(1, device="cuda")
    assert torch.cuda.is_initialized()


def test_a_seed_waits_for_cuda(torch, log):
    torch.manual_seed(5)
    assert not torch.cuda.is_initialized()
    first = torch.rand(3, device="cuda")
    torch.cuda.manual_seed_all(5)
    assert torch.equal(torch.rand(3, device="cuda"), first)
    assert torch.cuda.initial_seed() == 5


def test_the_later_seed_counts(torch, log):
    torch.cuda.manual_seed_all(1)
    torch.cuda.manual_seed(2)
    assert torch.cuda.initial_seed() == 2


def test_what_was_queued_fails_with_its_origin(torch, log):
    def wrong():
        raise KeyError("no such thing")

    torch.cuda._lazy_call(wrong)
    try:
        with pytest.raises(torch.cuda.DeferredCudaCallError, match="CUDA call was originally invoked at:") as error:
            torch.cuda.init()
        assert "test_cuda.py" in str(error.value)
    finally:
        torch.cuda._queued_calls.clear()
    torch.cuda.init()


def test_generators(torch, card):
    state = torch.cuda.get_rng_state()
    first = torch.rand(4, device="cuda")
    torch.cuda.set_rng_state(state)
    assert torch.equal(torch.rand(4, device="cuda"), first)
    generator = torch.Generator("cuda").manual_seed(3)
    drawn = torch.randn(20, device="cuda", generator=generator)
    assert torch.equal(drawn, torch.randn(20, device="cuda", generator=generator.manual_seed(3)))
    torch.cuda.seed_all()
    assert torch.cuda.initial_seed() != 3
    with pytest.raises(RuntimeError, match="Expected a 'cpu' device type for generator but found 'cuda'"):
        torch.rand(3, device="cpu", generator=generator)


def test_a_generator_a_device(torch, log):
    strict_cuda.set_device_count(2)
    torch.cuda.manual_seed_all(7)
    a = torch.rand(3, device="cuda:0")
    b = torch.rand(3, device="cuda:1")
    assert a.tolist() == b.tolist()
    assert len(torch.cuda.get_rng_state_all()) == 2


def test_a_forked_process_says_so(torch, log, monkeypatch):
    from annotated_src.torch.csrc.cuda import module

    torch.cuda.init()
    monkeypatch.setattr(module, "_in_bad_fork", True)
    assert not torch.cuda.is_initialized()
    with pytest.raises(RuntimeError, match="Cannot re-initialize CUDA in forked subprocess"):
        torch.zeros(1, device="cuda")


# -- graphs


def test_a_graph(torch, card):
    w = torch.arange(12.0, device="cpu").reshape(3, 4).cuda()
    x = torch.ones(2, 3, device="cuda")
    (x @ w).relu() * 2
    g = torch.cuda.CUDAGraph()
    with torch.cuda.graph(g):
        assert torch.cuda.is_current_stream_capturing()
        y = (x @ w).relu() * 2
    assert not torch.cuda.is_current_stream_capturing()
    x.copy_(torch.full((2, 3), 5.0, device="cpu"))
    g.replay()
    torch.cuda.synchronize()
    assert torch.equal(y, (x @ w).relu() * 2)


def test_a_replay_is_one_launch(torch, log):
    x = torch.ones(2, device="cuda")
    g = torch.cuda.CUDAGraph()
    with log.recording() as captured:
        with torch.cuda.graph(g):
            y = x
            for _ in range(10):
                y = y + 1
    assert not [entry for entry in captured if entry.kind == "launch"]
    with log.recording() as entries:
        g.replay()
    assert [(entry.kind, entry.name) for entry in entries] == [("launch", "graph of 10 kernels")]


def test_a_capture_has_memory_of_its_own(torch, log):
    """What died in the capture is written to by each replay: nobody else may have that memory."""
    x = torch.ones(1000, device="cuda")
    x * 2 + 1
    before = torch.cuda.memory_allocated()
    g = torch.cuda.CUDAGraph()
    with pytest.raises(RuntimeError, match="without a preceding successful capture"):
        g.pool()
    with torch.cuda.graph(g):
        y = x * 2 + 1
    assert torch.cuda.memory_allocated() == before
    other = torch.cuda.CUDAGraph()
    with torch.cuda.graph(other, pool=g.pool()):
        z = y + 1
    assert other.pool() == g.pool()
    x.fill_(5)
    g.replay()
    other.replay()
    assert y[0].item() == 11 and z[0].item() == 12


def test_no_capture_before_cuda_is_started(torch, log):
    assert not torch.cuda.is_initialized()
    assert not torch.cuda.is_current_stream_capturing()
    assert not torch.cuda.is_initialized()


def test_what_a_capture_refuses(torch, card):
    g = torch.cuda.CUDAGraph()
    with pytest.raises(RuntimeError, match="Called CUDAGraph::replay without a preceding successful capture"):
        g.replay()
    with pytest.raises(RuntimeError, match="CUDA graphs must be captured on a non-default stream"):
        g.capture_begin()
    with pytest.raises(RuntimeError, match="Unknown capture error mode. Expected `global`, `thread_local`"):
        g.capture_begin(capture_error_mode="strict")
    x = torch.ones(2, device="cuda")
    with torch.cuda.graph(g):
        x + 1
    with pytest.raises(RuntimeError, match="already owns a captured graph"):
        g.capture_begin()
    assert torch.cuda.graph_pool_handle() != torch.cuda.graph_pool_handle()


def test_a_capture_cannot_wait(torch, log):
    x = torch.ones(2, device="cuda")
    with pytest.raises(RuntimeError, match="operation not permitted when stream is capturing"):
        with torch.cuda.graph(torch.cuda.CUDAGraph()):
            x.sum().item()


# -- the stand-in is CuPy's


def test_the_stand_in_has_no_name_of_its_own():
    """What the strict module's `cuda` offers, CuPy has, with these parameters."""
    from annotated_src.walkthrough.strict import api

    for name in ("Device", "Stream", "Event", "Graph", "MemoryPool", "runtime"):
        for member, value in vars(getattr(strict_cuda, name)).items():
            if member.startswith("_") or member == "CUDARuntimeError":
                continue
            dotted = f"cuda.{name}.{member}"
            assert api.exists(dotted) or dotted in _OF_INSTANCES, dotted
            function = value.__func__ if isinstance(value, staticmethod) else value
            if inspect.isfunction(function) and api.NAMES.get(dotted) is not None:
                ours = [p for p in inspect.signature(function).parameters if p != "self"]
                theirs = list(api.signature(dotted).parameters)
                assert ours == theirs[: len(ours)], (dotted, ours, theirs)


# What there is beside it, for those who look on.
_OURS = {"Entry", "Log", "log", "log_transfer", "log_launch", "CUDARuntimeError", "set_device_count", "is_pinned"}
_OURS |= {"default_memory_pool"}
# A function of the package above, `cupy`.
_OF_CUPY = {"get_default_memory_pool"}


def test_the_stand_in_has_no_function_of_its_own():
    from annotated_src.walkthrough.strict import api

    for name, value in vars(strict_cuda).items():
        if name.startswith("_") or name in _OURS or getattr(value, "__module__", "") != strict_cuda.__name__:
            continue
        dotted = name if name in _OF_CUPY else f"cuda.{name}"
        assert api.exists(dotted), dotted
        if inspect.isfunction(value) and api.NAMES[dotted] is not None:
            ours, theirs = list(inspect.signature(value).parameters), list(api.signature(dotted).parameters)
            assert ours == theirs[: len(ours)], (dotted, ours, theirs)


# Set in their constructors, so that a class has no such attribute.
_OF_INSTANCES = ("cuda.Device.id",)


def test_upstream_is_not_asked_about_a_card():
    """The live upstream is a build without CUDA: none of the above that needs a card was compared with it."""
    if upstream_is_installed():
        import torch

        assert not torch.cuda.is_available()

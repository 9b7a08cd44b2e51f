"""Tests are written once: with --device cuda or strict, what they make lies on the card.

The functions that make tensors get `device=` where the caller gave none, as upstream's torch.set_default_device does it
(which is left out here). Upstream is asked on the CPU all the same.
"""

import contextlib
import functools

CONSTRUCTORS = (
    "arange as_tensor asarray empty empty_permuted empty_strided eye full linspace logspace ones rand randint randn "
    "randperm range scalar_tensor sparse_coo_tensor tensor tril_indices triu_indices zeros"
).split()

# What is not asked of a card, by why; a test's id without `tests/`, or how it begins.
CPU_ONLY = {
    "memory shared with NumPy, which only the host's can be": [
        "core/test_tensor_numpy.py",
        "core/test_tensor_new.py::test_as_tensor_shares_memory",
        "core/test_operator_calls.py::test_an_array_that_is_shared_passes_no_operator",
        "core/test_views.py::test_a_write_through_a_view_is_seen_in_the_base",
        "sampler_flow/test_collate.py::test_convert_shares_memory_and_leaves_the_sample_alone",
        "ground/test_autograd.py::test_error[x.numpy()",
    ],
    "what a tensor says of its device, and how its text breaks into lines with it": [
        "core/test_tensor_str.py",
        "core/test_tensor_base.py::test_properties",
        "core/test_tensor_base.py::test_storage",
        "core/test_tensor_base.py::test_typed_storage",
        "core/test_tensor_base.py::test_dtypes_and_devices",
        "core/test_tensor_base.py::test_errors[Invalid device string",
        "core/test_tensor_base.py::test_errors[Cannot access accelerator",
        "core/test_tensor_new.py::test_type",
        "core/test_tensor_new.py::test_errors[tensor() takes 1 positional",
        "core/test_copy.py::test_ways_to_say_to",
        "ground/test_autograd.py::test_repr",
        "ground/test_sparse.py::test_what_a_sparse_tensor_says_of_itself",
        "ground/test_sparse.py::test_repr",
    ],
    "loading data is the host's work: indices and seeds are drawn, and samples gathered, in its memory": [
        "sampler_flow/test_dataloader.py",
        "sampler_flow/test_dataset.py",
        "sampler_flow/test_distributed.py",
        "sampler_flow/test_folder.py",
        "sampler_flow/test_same_calls.py",
        "sampler_flow/test_sampler.py",
        "sampler_flow/test_traps.py",
    ],
    "constructors that make CPU tensors, whatever the default": ["core/test_tensor_new.py::test_legacy_constructors"],
    "the CPU's generator, and the bytes of its state": [
        "core/test_random.py::test_a_state_goes_over_to_upstream_and_back",
        "core/test_random.py::test_the_state_after_some_draws",
        "core/test_random.py::test_seeds_and_states_refused",
        "core/test_random.py::test_on_the_device",
        "core/test_random.py::test_fork_rng",
        "core/test_random.py::test_normal[1., 2., (3, 4)]",
        "core/test_random.py::test_normal[0, 1, (20,)]",
        "core/test_random.py::test_a_generator_of_ones_own[normal(0., 1.",
        "core/test_random.py::test_refused[torch.rand(2, generator=3)]",
        "core/test_random.py::test_refused[torch.multinomial(torch.tensor([-1., 2]), 1)]",
        "core/test_random.py::test_refused[torch.multinomial(torch.tensor([1., float('inf')]), 1)]",
        "core/test_random.py::test_refused[torch.multinomial(torch.zeros(2), 1)]",
    ],
    "positions outside, which upstream's kernels find on the card and end the program (a device-side assert)": [
        "core/test_indexing.py::test_error[x[torch.tensor([5])]]",
        "core/test_indexing.py::test_error[x[i, torch.tensor([1, 9])]]",
        "core/test_indexing.py::test_assignment_error[x[torch.tensor([9])] = 1]",
        "core/test_indexing.py::test_assignment_error[x.masked_scatter_(m, torch.ones(3))]",
        "core/test_indexing.py::test_assignment_error[x.index_add_(0, torch.tensor([9, 0])",
        "core/test_indexing.py::test_assignment_error[x.index_copy_(0, torch.tensor([9])",
        "core/test_indexing.py::test_assignment_error[x.index_fill_(0, torch.tensor([9])",
        "core/test_indexing.py::test_assignment_error[x.scatter_(0, torch.tensor([[9]]), 1)]",
        "core/test_indexing.py::test_assignment_error[x.scatter_(0, torch.tensor([[-1]]), 1)]",
        "core/test_indexing.py::test_assignment_error[x.scatter_add_(0, torch.tensor([[1, 9]])",
        "core/test_indexing.py::test_operator_error[x.gather(0, torch.tensor([[9]]))]",
        "core/test_indexing.py::test_operator_error[x.gather(0, torch.tensor([[-1]]))]",
        "core/test_indexing.py::test_operator_error[x.index_select(0, torch.tensor([9]))]",
        "core/test_indexing.py::test_operator_error[x.index_select(0, torch.tensor([-1]))]",
        "core/test_indexing.py::test_operator_error[x.take(torch.tensor([99]))]",
        "core/test_indexing.py::test_operator_error[torch.embedding(x, torch.tensor([9]))]",
        "core/test_indexing.py::test_operator_error[torch.embedding(x, torch.tensor([-1]))]",
        "ground/test_embedding.py::test_errors[torch.embedding(torch.ones(3, 2), torch.tensor([3]))",
        "ground/test_embedding.py::test_errors[torch.ops.aten.one_hot(torch.tensor([-1]))",
        "ground/test_embedding.py::test_errors[torch.ops.aten.one_hot(torch.tensor([3]), 2)",
        "ground/test_embedding.py::test_errors[torch.ops.aten._embedding_bag(torch.ones(3, 2), torch.tensor([0, 1]), "
        "torch.tensor([1]))",
        "ground/test_embedding.py::test_errors[torch.ops.aten._embedding_bag(torch.ones(3, 2), torch.tensor([0, 1]), "
        "torch.tensor([0, 3]))",
        "ground/test_loss.py::test_errors[torch.ops.aten.nll_loss(torch.ones(2, 3), torch.tensor([0, 3]))",
        "ground/test_loss.py::test_errors[torch.ops.aten.binary_cross_entropy(torch.tensor([1.5])",
        "ground/test_loss.py::test_errors[torch.ops.aten.multi_margin_loss(torch.ones(1, 2), torch.tensor([2]))",
        "ground/test_loss.py::test_errors[torch.ops.aten.multilabel_margin_loss(torch.ones(1, 2), torch.tensor([[2, 0]",
        "ground/test_odd_shapes.py::test_positions_outside",
        "ground/test_odd_shapes.py::test_odd_shapes[operator index",
        "ground/test_odd_shapes.py::test_odd_shapes[operator _index_put_impl_",
        "ground/test_odd_shapes.py::test_odd_shapes[operator take",
        "ground/test_odd_shapes.py::test_odd_shapes[operator gather",
        "ground/test_odd_shapes.py::test_odd_shapes[operator scatter_number",
        "ground/test_odd_shapes.py::test_odd_shapes[operator masked_scatter",
        "ground/test_odd_shapes.py::test_odd_shapes[operator embedding",
        "ground/test_odd_shapes.py::test_odd_shapes[layer nll_loss",
        "ground/test_odd_shapes.py::test_odd_shapes[layer cross_entropy]",
        "ground/test_odd_shapes.py::test_odd_shapes[layer cross_entropy_ignore",
        "ground/test_odd_shapes.py::test_odd_shapes[layer embedding_bag",
    ],
    "an integer divided by zero, which the CPU refuses and a card does not": [
        "core/test_pointwise.py::test_error[torch.tensor([-7, 7, 5]) // torch.tensor([2, -2, 0])]",
        "core/test_pointwise.py::test_error[torch.div(torch.tensor([-7, 7]), torch.tensor([2, 0])",
        "core/test_pointwise.py::test_error[2 % i]",
    ],
    "operators that upstream calls on the CPU only, or in another order there": [
        "core/test_operator_calls.py::test_nested_calls[x.new_tensor([1, 2])]",
        "core/test_operator_calls.py::test_nested_calls[torch.tensor([1, 2])]",
        "core/test_operator_calls.py::test_nested_calls[torch.tensor(1.0)]",
        "core/test_operator_calls.py::test_nested_calls[torch.as_tensor([1, 2])]",
        "core/test_operator_calls.py::test_nested_calls[x.tolist()]",
        "core/test_operator_calls.py::test_nested_calls[x.cpu()]",
        "ground/test_spatial_calls.py::test_nested_calls[F.max_pool1d(x1, 2)]",
        "ground/test_functional_calls.py::test_nested_calls[F.one_hot(c, 3)]",
        "ground/test_pooling.py::test_error[torch.max_pool1d(x[0].long(), 2)]",
        # (evenly_distribute_backward has a way for each device)
        "ground/test_backward_calls.py::test_backward_calls[max]",
        "ground/test_backward_calls.py::test_backward_calls[min]",
        "ground/test_backward_calls.py::test_backward_calls[median]",
        "ground/test_backward_calls.py::test_backward_calls[nanmedian]",
        "ground/test_backward_calls.py::test_backward_calls[max_of_equals]",
    ],
    "scenarios that are recorded on the CPU; tests/gpu/test_same_step.py compares one on both devices": [
        "ground/test_same_calls.py",
    ],
}


def why_not_on_a_card(nodeid):
    """The reason, if a test is not asked of a card."""
    for reason, tests in CPU_ONLY.items():
        if nodeid.startswith(tuple([f"tests/{test}" for test in tests])):
            return reason
    return None


@contextlib.contextmanager
def constructors_on(torch, device):
    """Within the block the constructors of `torch` put their tensors on `device`."""
    before = {name: getattr(torch, name) for name in CONSTRUCTORS if hasattr(torch, name)}
    for name, function in before.items():
        setattr(torch, name, on(function, device))
    try:
        yield
    finally:
        for name, function in before.items():
            setattr(torch, name, function)


def on(function, device):
    """The function, with a device where the caller gives none."""

    @functools.wraps(function)
    def constructor(*args, **kwargs):
        if kwargs.get("device") is None and kwargs.get("out") is None:
            generator = kwargs.get("generator")
            kwargs["device"] = device if generator is None else generator.device
        return function(*args, **kwargs)

    return constructor

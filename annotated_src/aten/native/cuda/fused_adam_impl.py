"""The host side of fused_adam_impl.cu. Retells aten/src/ATen/native/cuda/fused_adam_impl.cu and
aten/src/ATen/native/cuda/fused_adamw_impl.cu."""

import numpy

from annotated_src.aten.native.cuda.launch import HERE, launch_on_card
from annotated_src.aten.native.cuda.multi_tensor_apply import kBlockSize, multi_tensor_apply_for_fused_optimizer


def _fused_adam_cuda_impl_(*lists, launch=launch_on_card, **numbers):
    """A step of Adam, in place: params, grads, exp_avgs, exp_avg_sqs, state_steps (already counted up), then
    lr, beta1, beta2, weight_decay, eps, maximize. Arrays are float32 and contiguous; a step has one element."""
    _apply("fused_adam", *lists, launch=launch, **numbers)


def _fused_adamw_cuda_impl_(*lists, launch=launch_on_card, **numbers):
    """The same with AdamW's weight decay."""
    _apply("fused_adamw", *lists, launch=launch, **numbers)


def _apply(
    name, params, grads, exp_avgs, exp_avg_sqs, state_steps, *, lr, beta1, beta2, weight_decay, eps, maximize, launch
):
    numbers = [numpy.float32(number) for number in (lr, beta1, beta2, weight_decay, eps)]

    def launch_chunks(tl, blocks):
        args = (tl, *numbers, numpy.bool_(maximize))
        launch(HERE / "fused_adam_impl.cu", name, (blocks,), (kBlockSize,), args)

    tensor_lists = [params, grads, exp_avgs, exp_avg_sqs]
    multi_tensor_apply_for_fused_optimizer(tensor_lists, state_steps, launch_chunks)

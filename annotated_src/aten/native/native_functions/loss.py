"""Losses, distances, and the backward operators of both."""

from annotated_src.aten.native import (
    distance,
    loss,
    loss_multi_label_margin,
    loss_multi_margin,
    loss_nll,
    reduce_ops,
)
from annotated_src.aten.native.native_functions.registry import BOTH, EXPLICIT, IMPLICIT, native

PAIR = "Tensor self, Tensor target"
GRAD = "Tensor grad_output, Tensor self, Tensor target"
OUT = "Tensor(a!) out) -> Tensor(a!)"
MARGIN_AND_REDUCTION = "float margin=0., int reduction=1"


def register():
    """Define them."""
    _made_of_others()
    _squares()
    _probabilities()
    _nll()
    _margins()
    _distances()


def _composite(name, parameters, kernel=None):
    native(f"{name}({parameters}) -> Tensor", {IMPLICIT: kernel or getattr(loss, name)})


def _made_of_others():
    _composite("l1_loss", f"{PAIR}, int reduction=1")
    _composite("kl_div", f"{PAIR}, int reduction=1, *, bool log_target=False")
    _composite(
        "poisson_nll_loss", "Tensor input, Tensor target, bool log_input, bool full, float eps, int reduction"
    )
    _composite("margin_ranking_loss", f"Tensor input1, Tensor input2, Tensor target, {MARGIN_AND_REDUCTION}")
    _composite("cosine_embedding_loss", f"Tensor input1, Tensor input2, Tensor target, {MARGIN_AND_REDUCTION}")
    _composite("hinge_embedding_loss", f"{PAIR}, float margin=1., int reduction=1")
    _composite(
        "triplet_margin_loss",
        "Tensor anchor, Tensor positive, Tensor negative, float margin=1., float p=2., "
        "float eps=9.9999999999999995e-07, bool swap=False, int reduction=1",
    )


def _squares():
    native(f"mse_loss({PAIR}, int reduction=1) -> Tensor", {BOTH: loss.mse_loss})
    native(f"mse_loss.out({PAIR}, int reduction=1, *, {OUT}", {BOTH: loss.mse_loss})
    native(f"mse_loss_backward({GRAD}, int reduction) -> Tensor", {BOTH: loss.mse_loss_backward})
    native(f"smooth_l1_loss({PAIR}, int reduction=1, float beta=1.) -> Tensor", {BOTH: loss.smooth_l1_loss})
    native(f"smooth_l1_loss.out({PAIR}, int reduction=1, float beta=1., *, {OUT}", {BOTH: loss.smooth_l1_loss})
    native(
        f"smooth_l1_loss_backward({GRAD}, int reduction, float beta) -> Tensor",
        {EXPLICIT: loss.smooth_l1_loss_backward},
    )
    native(f"huber_loss({PAIR}, int reduction=1, float delta=1.) -> Tensor", {BOTH: loss.huber_loss})
    native(f"huber_loss_backward({GRAD}, int reduction, float delta) -> Tensor", {EXPLICIT: loss.huber_loss_backward})
    native(f"soft_margin_loss({PAIR}, int reduction=1) -> Tensor", {EXPLICIT: loss.soft_margin_loss})
    native(f"soft_margin_loss_backward({GRAD}, int reduction) -> Tensor", {EXPLICIT: loss.soft_margin_loss_backward})


def _probabilities():
    weighted = "Tensor? weight=None, int reduction=1"
    native(f"binary_cross_entropy({PAIR}, {weighted}) -> Tensor", {BOTH: loss.binary_cross_entropy})
    native(f"binary_cross_entropy_backward({GRAD}, {weighted}) -> Tensor", {BOTH: loss.binary_cross_entropy_backward})
    native(
        f"binary_cross_entropy_with_logits({PAIR}, Tensor? weight=None, Tensor? pos_weight=None, int reduction=1) "
        "-> Tensor",
        {EXPLICIT: loss.binary_cross_entropy_with_logits},
    )


def _nll():
    weighted = "Tensor? weight=None, int reduction=1, SymInt ignore_index=-100"
    for name in ("nll_loss", "nll_loss2d", "nll_loss_nd"):
        _composite(name, f"{PAIR}, {weighted}", getattr(loss_nll, name))
    _composite("cross_entropy_loss", f"{PAIR}, {weighted}, float label_smoothing=0.", loss_nll.cross_entropy_loss)
    weighted = "Tensor? weight, int reduction, SymInt ignore_index"
    for name in ("nll_loss", "nll_loss2d"):
        native(
            f"{name}_forward({PAIR}, {weighted}) -> (Tensor output, Tensor total_weight)",
            {BOTH: getattr(loss_nll, f"{name}_forward")},
        )
        native(
            f"{name}_backward({GRAD}, {weighted}, Tensor total_weight) -> Tensor",
            {BOTH: getattr(loss_nll, f"{name}_backward")},
        )


def _margins():
    weighted = "Tensor? weight=None, int reduction=1"
    native(
        f"multi_margin_loss({PAIR}, Scalar p=1, Scalar margin=1, {weighted}) -> Tensor",
        {BOTH: loss_multi_margin.multi_margin_loss},
    )
    native(
        f"multi_margin_loss_backward({GRAD}, Scalar p, Scalar margin, {weighted}) -> Tensor",
        {BOTH: loss_multi_margin.multi_margin_loss_backward},
    )
    kernels = loss_multi_label_margin
    _composite("multilabel_margin_loss", f"{PAIR}, int reduction=1", kernels.multilabel_margin_loss)
    native(
        f"multilabel_margin_loss_forward({PAIR}, int reduction) -> (Tensor output, Tensor is_target)",
        {BOTH: kernels.multilabel_margin_loss_forward},
    )
    native(
        f"multilabel_margin_loss_backward({GRAD}, int reduction, Tensor is_target) -> Tensor",
        {BOTH: kernels.multilabel_margin_loss_backward},
    )


def _distances():
    _composite(
        "pairwise_distance",
        "Tensor x1, Tensor x2, float p=2., float eps=9.9999999999999995e-07, bool keepdim=False",
        distance.pairwise_distance,
    )
    _composite(
        "cosine_similarity", "Tensor x1, Tensor x2, int dim=1, float eps=1e-08", distance.cosine_similarity
    )
    native(
        "norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor",
        {BOTH: reduce_ops.norm},
    )
    native("norm.Scalar(Tensor self, Scalar p=2) -> Tensor", {EXPLICIT: reduce_ops.norm_scalar})

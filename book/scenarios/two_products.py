"""A leaf in two products: three gradients meet at it, and of the nodes the latest goes first."""


def main(torch):
    w = torch.tensor([2.0, 3.0], requires_grad=True)
    x = torch.tensor([1.0, 4.0])
    loss = (w * x).sum() + (w * w).sum()
    loss.backward()
    return w.grad.tolist()

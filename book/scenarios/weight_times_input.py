"""From `y = w * x` to `w.grad`: one operator, one sum, one backward."""


def main(torch):
    w = torch.tensor([2.0, 3.0], requires_grad=True)
    x = torch.tensor([1.0, 4.0])
    y = w * x
    loss = y.sum()
    loss.backward()
    return w.grad.tolist()

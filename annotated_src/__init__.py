"""annotated_src: PyTorch's and torchvision's source, retold to be read, stepped through and tested.

    from annotated_src import torch
    from annotated_src import torchvision

c10          the ground: devices, dtypes, storage, the tensor object, dispatch keys
aten         the operators: schemas, dispatcher, kernels
torch        the Python side, path by path
torchvision  likewise
walkthrough  the recorder, and what is drawn from a recording
"""

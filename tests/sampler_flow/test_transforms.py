"""Transforms: each mode and dtype, exact values, and every refusal (torchvision/transforms)."""

import numpy as np
import pytest
from PIL import Image

COVERS = [
    "torchvision/transforms/transforms.py",
    "torchvision/transforms/functional.py",
    "torchvision/transforms/_functional_pil.py",
    "torchvision/transforms/_functional_tensor.py",
    "torchvision/transforms/__init__.py",
    "torchvision/utils.py",
    "torch/nn/modules/module.py",
    "torch/jit/__init__.py",
    "torch/_jit_internal.py",
]

MODES = ["1", "L", "LA", "P", "I", "F", "I;16", "RGB", "RGBA", "YCbCr", "CMYK", "HSV", "LAB", "RGBX"]
DTYPES = ["uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "bool"]


def image_of(mode, size=(5, 3)):
    """An image with a different value in each pixel, some of them at the ends of the mode's range."""
    width, height = size
    grey = (np.arange(width * height).reshape(height, width) * 17 % 256).astype(np.uint8)
    if mode == "I":
        return Image.fromarray(grey.astype(np.int32) * 1000 - 5)
    if mode == "F":
        return Image.fromarray(grey.astype(np.float32) / 3 - 1)
    if mode == "I;16":
        return Image.fromarray(grey.astype(np.uint16) * 257)
    if mode in ("1", "L", "P", "LA"):
        return Image.fromarray(grey).convert(mode)
    color = Image.merge("RGB", [Image.fromarray(channel) for channel in (grey, 255 - grey, grey[::-1].copy())])
    if mode == "LAB":
        return Image.merge("LAB", color.split())
    return color.convert(mode)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("size", [(5, 3), (1, 1), (4, 4)])
def test_to_tensor_of_images(oracle, mode, size):
    def case(torchvision):
        tensor = torchvision.transforms.ToTensor()(image_of(mode, size))
        # What the stride of a dimension of one element is says nothing of the memory.
        strides = [stride for stride, length in zip(tensor.stride(), tensor.shape, strict=True) if length > 1]
        return tensor, tensor.is_contiguous(), strides

    oracle.same(case, rtol=0, atol=0)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(3, 4), (3, 4, 1), (3, 4, 3), (2, 2, 5), (0, 4), (1, 1, 2)])
def test_to_tensor_of_arrays(oracle, dtype, shape):
    def case(torchvision):
        array = (np.arange(np.prod(shape)).reshape(shape) * 7 % 251).astype(dtype)
        tensor = torchvision.transforms.functional.to_tensor(array)
        return tensor, tensor.is_contiguous()

    oracle.same(case, rtol=0, atol=0)


def test_to_tensor_of_strided_arrays(oracle):
    def case(torchvision):
        array = np.arange(48, dtype=np.uint8).reshape(4, 4, 3)
        to_tensor = torchvision.transforms.functional.to_tensor
        return to_tensor(array[::2, 1:3]), to_tensor(array.transpose(1, 0, 2)), to_tensor(np.asfortranarray(array))

    oracle.same(case, rtol=0, atol=0)


def test_all_bytes(oracle):
    """Each of the 256 levels, to the last bit."""

    def case(torchvision):
        levels = np.arange(256, dtype=np.uint8).reshape(16, 16)
        return torchvision.transforms.ToTensor()(Image.fromarray(levels)).flatten().tolist()

    oracle.same(case)


def test_memory_that_is_shared_and_that_is_not(oracle):
    def case(torchvision):
        one_channel = np.zeros((2, 2, 1), dtype=np.float32)
        three = np.zeros((2, 2, 3), dtype=np.float32)
        tensors = [torchvision.transforms.functional.to_tensor(array) for array in (one_channel, three)]
        one_channel += 1
        three += 1
        image = image_of("L")
        torchvision.transforms.functional.to_tensor(image).zero_()
        return tensors, np.asarray(image)

    oracle.same(case)


def test_the_default_dtype(oracle):
    def case(torch, torchvision):
        before = torch.get_default_dtype()
        torch.set_default_dtype(torch.float64)
        try:
            return torchvision.transforms.functional.to_tensor(image_of("L"))
        finally:
            torch.set_default_dtype(before)

    oracle.same(case, rtol=0, atol=0)


def test_to_tensor_refuses(oracle):
    to_tensor = "pic should be PIL Image or ndarray. Got "
    oracle.same_error(lambda torchvision: torchvision.transforms.ToTensor()([[1, 2]]), to_tensor)
    oracle.same_error(lambda torch, torchvision: torchvision.transforms.ToTensor()(torch.zeros(2, 2)), to_tensor)


@pytest.mark.parametrize("shape", [(), (3,), (1, 2, 2, 3)])
def test_to_tensor_refuses_arrays_of_other_dimensions(oracle, shape):
    oracle.same_error(
        lambda torchvision: torchvision.transforms.ToTensor()(np.zeros(shape)),
        f"pic should be 2/3 dimensional. Got {len(shape)} dimensions",
    )


NORMAL = {
    "one channel": ((1, 2, 3), (0.5,), (0.25,)),
    "three channels": ((3, 2, 2), (0.1, 0.2, 0.3), (1.0, 2.0, 0.5)),
    "a batch": ((2, 3, 2, 2), [0.1, 0.2, 0.3], [1.0, 2.0, 0.5]),
    "one number for all": ((3, 2, 2), 0.5, 2.0),
    "one of each for all": ((3, 2, 2), (0.5,), (2.0,)),
    "a negative std": ((1, 2, 2), (0.0,), (-1.0,)),
}


@pytest.mark.parametrize("name", NORMAL)
@pytest.mark.parametrize("inplace", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_normalize(oracle, name, inplace, dtype):
    shape, mean, std = NORMAL[name]

    def case(torch, torchvision):
        image = (torch.arange(float(np.prod(shape))).view(shape) / 7).to(getattr(torch, dtype))
        out = torchvision.transforms.Normalize(mean, std, inplace)(image)
        return out, image, out is image

    oracle.same(case)


def test_normalize_with_tensors_and_whole_maps(oracle):
    def case(torch, torchvision):
        image = torch.arange(12.0).view(3, 2, 2)
        mean, std = torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1.0, 2.0, 4.0])
        maps = torchvision.transforms.functional.normalize(image, image, torch.ones(3, 2, 2))
        return torchvision.transforms.functional.normalize(image, mean, std), maps

    oracle.same(case)


def test_normalize_refuses(oracle):
    def normalize(image, mean=(0.5,), std=(0.5,)):
        return lambda torch, torchvision: torchvision.transforms.Normalize(mean, std)(image(torch))

    oracle.same_error(normalize(lambda torch: image_of("L")), "img should be Tensor Image. Got ")
    oracle.same_error(normalize(lambda torch: torch.zeros(3)), "Tensor is not a torch image")
    oracle.same_error(
        normalize(lambda torch: torch.zeros(1, 2, 2, dtype=torch.uint8)),
        "Input tensor should be a float tensor. Got torch.uint8",
    )
    oracle.same_error(
        normalize(lambda torch: torch.zeros(2, 2)),
        "Expected tensor to be a tensor image of size (..., C, H, W). Got tensor.size() = torch.Size([2, 2])",
    )
    oracle.same_error(
        normalize(lambda torch: torch.zeros(1, 2, 2), std=(0.0,)),
        "std evaluated to zero after conversion to torch.float32, leading to division by zero",
    )
    oracle.same_error(normalize(lambda torch: torch.zeros(3, 2, 2), mean=(1.0, 2.0)), "must match the size")


SIZES = [4, 1, 7, 20, (4, 9), [9, 4], (6,), [6], (10, 16)]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("shape", [(16, 10), (10, 16), (8, 8)])
@pytest.mark.parametrize("mode", ["L", "RGB"])
def test_resize(oracle, size, shape, mode):
    def case(torchvision):
        image = torchvision.transforms.Resize(size)(image_of(mode, shape))
        return image.size, image.mode, np.asarray(image)

    oracle.same(case)


@pytest.mark.parametrize(
    "interpolation", ["NEAREST", "NEAREST_EXACT", "BILINEAR", "BICUBIC", "BOX", "HAMMING", "LANCZOS"]
)
def test_resize_interpolations(oracle, interpolation):
    def case(torchvision):
        mode = torchvision.transforms.InterpolationMode[interpolation]
        return np.asarray(torchvision.transforms.Resize((5, 7), mode)(image_of("RGB", (16, 10)))), mode.value

    oracle.same(case)


@pytest.mark.parametrize("number", [0, 1, 2, 3, 4, 5])
def test_resize_by_pillows_numbers(oracle, number):
    def case(torchvision):
        resize = torchvision.transforms.Resize(5, interpolation=number)
        return repr(resize), np.asarray(resize(image_of("L", (16, 10))))

    oracle.same(case)


@pytest.mark.parametrize(("size", "max_size"), [(4, 5), (4, 6), (4, 100), ([4], 5), (9, 10), (4, None)])
@pytest.mark.parametrize("shape", [(16, 10), (10, 16), (10, 10), (40, 12)])
def test_resize_max_size(oracle, size, max_size, shape):
    def case(torchvision):
        return torchvision.transforms.Resize(size, max_size=max_size)(image_of("L", shape)).size

    oracle.same(case)


def test_resize_to_the_size_it_has(oracle):
    def case(torch, torchvision):
        image, tensor = image_of("L", (6, 4)), torch.zeros(1, 4, 6)
        resize = torchvision.transforms.functional.resize
        return resize(image, [4, 6]) is image, resize(image, 4) is image, resize(tensor, [4, 6]) is tensor

    oracle.same(case)


def test_resize_refuses(oracle):
    def resize(*arguments, **keywords):
        return lambda torchvision: torchvision.transforms.Resize(*arguments, **keywords)(image_of("L"))

    def function(*arguments, **keywords):
        return lambda torchvision: torchvision.transforms.functional.resize(image_of("L"), *arguments, **keywords)

    oracle.same_error(resize(2.5), "Size should be int or sequence. Got ")
    oracle.same_error(resize(None), "Size should be int or sequence. Got ")
    oracle.same_error(resize(()), "If size is a sequence, it should have 1 or 2 values")
    oracle.same_error(resize((1, 2, 3)), "If size is a sequence, it should have 1 or 2 values")
    oracle.same_error(resize(2, interpolation=9), "9")
    oracle.same_error(resize(2, interpolation="bilinear"), "Argument interpolation should be a InterpolationMode")
    oracle.same_error(resize(4, max_size=4), "max_size = 4 must be strictly greater than the requested size for the sm")
    oracle.same_error(resize((4, 4), max_size=9), "max_size should only be passed if size specifies the length of the")
    oracle.same_error(function((1, 2, 3)), "Size must be an int or a 1 or 2 element tuple/list, not a 3 element")
    oracle.same_error(lambda torchvision: torchvision.transforms.Resize(2)(np.zeros((3, 3))), "Unexpected type ")


def test_resize_warns_of_an_antialias_that_pillow_ignores(oracle):
    def case(torchvision):
        torchvision.transforms.Resize(2, antialias=False)(image_of("L"))

    oracle.same_warnings(
        case, "Anti-alias option is always applied for PIL Image input. Argument antialias is ignored."
    )


def test_resize_of_tensors_is_not_there_yet(torch, torchvision):
    with pytest.raises(NotImplementedError, match="Resizing a tensor is not there yet"):
        torchvision.transforms.Resize(2)(torch.zeros(1, 4, 4))


@pytest.mark.parametrize("size", [None, [4], [4, 9]])
def test_output_sizes(oracle, size):
    def case(torchvision):
        return torchvision.transforms.functional._compute_resized_output_size((10, 16), size)

    if size is None:
        oracle.same_error(case, "This should never happen!!")
    else:
        oracle.same(case)


@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("p", [0.0, 0.3, 0.5, 1.0])
def test_flips(oracle, seed, p):
    def case(torch, torchvision):
        torch.manual_seed(seed)
        flip = torchvision.transforms.RandomHorizontalFlip(p)
        images = [np.asarray(flip(image_of("RGB"))) for _ in range(8)]
        tensors = [flip(torch.arange(6).view(1, 2, 3)) for _ in range(8)]
        return images, tensors, torch.rand(1)

    oracle.same(case)


def test_flips_by_function(oracle):
    def case(torch, torchvision):
        hflip = torchvision.transforms.functional.hflip
        return np.asarray(hflip(image_of("L"))), hflip(torch.arange(4).view(2, 2)), hflip(torch.zeros(2, 3, 4, 5)).shape

    oracle.same(case)
    oracle.same_error(
        lambda torchvision: torchvision.transforms.functional.hflip(np.zeros((2, 2))), "img should be PIL Image. Got "
    )
    oracle.same_error(
        lambda torch, torchvision: torchvision.transforms.functional.hflip(torch.zeros(2)),
        "Tensor is not a torch image",
    )


def test_composed(oracle):
    def case(torch, torchvision):
        T = torchvision.transforms
        steps = T.Compose([T.Resize(4), T.ToTensor(), T.Normalize((0.5,), (0.5,)), T.Lambda(lambda x: x * 2)])
        return steps(image_of("L")), T.Compose([])(3), len(steps.transforms)

    oracle.same(case)


def test_reprs(oracle):
    def case(torchvision):
        T = torchvision.transforms
        return [
            repr(transform)
            for transform in (
                T.ToTensor(),
                T.Normalize((0.5,), [0.25]),
                T.Resize(4),
                T.Resize((4, 5), T.InterpolationMode.NEAREST, antialias=None),
                T.Resize([4], max_size=9),
                T.RandomHorizontalFlip(),
                T.Lambda(str),
                T.Compose([]),
                T.Compose([T.ToTensor(), T.Compose([T.Lambda(str)])]),
                T.InterpolationMode.BICUBIC,
            )
        ]

    oracle.same(case)


def test_lambda_refuses(oracle):
    oracle.same_error(
        lambda torchvision: torchvision.transforms.Lambda(3), "Argument lambd should be callable, got 'int'"
    )


@pytest.mark.parametrize("mode", MODES)
def test_dimensions_of_images(oracle, mode):
    def case(torchvision):
        F = torchvision.transforms.functional
        image = image_of(mode)
        return F.get_dimensions(image), F.get_image_size(image), F.get_image_num_channels(image), F._is_pil_image(image)

    oracle.same(case)


@pytest.mark.parametrize("shape", [(4, 5), (3, 4, 5), (2, 3, 4, 5), (1, 2, 3, 4, 5)])
def test_dimensions_of_tensors(oracle, shape):
    def case(torch, torchvision):
        F = torchvision.transforms.functional
        image = torch.zeros(shape)
        return F.get_dimensions(image), F.get_image_size(image), F.get_image_num_channels(image)

    oracle.same(case)


@pytest.mark.parametrize("name", ["get_dimensions", "get_image_size", "get_image_num_channels"])
def test_dimensions_of_what_is_no_image(oracle, name):
    oracle.same_error(
        lambda torchvision: getattr(torchvision.transforms.functional, name)(np.zeros((2, 2))), "Unexpected type "
    )
    oracle.same_error(
        lambda torch, torchvision: getattr(torchvision.transforms.functional, name)(torch.zeros(3)),
        "Tensor is not a torch image",
    )


def test_pillow_resize_refuses(oracle):
    def resize(image, size):
        return lambda torchvision: torchvision.transforms._functional_pil.resize(image, size)

    oracle.same_error(resize(np.zeros((2, 2)), [1, 1]), "img should be PIL Image. Got ")
    oracle.same_error(resize(image_of("L"), 3), "Got inappropriate size arg: 3")
    oracle.same_error(resize(image_of("L"), (1, 2)), "Got inappropriate size arg: (1, 2)")
    oracle.same_error(resize(image_of("L"), [1]), "Got inappropriate size arg: [1]")


def test_transforms_that_are_modules(oracle):
    def case(torch, torchvision):
        T = torchvision.transforms
        return (
            [
                isinstance(t, torch.nn.Module)
                for t in (T.ToTensor(), T.Resize(2), T.Compose([]), T.RandomHorizontalFlip())
            ],
            T.Normalize(0, 1).training,
            T.Resize(4).forward(image_of("L")).size,
        )

    oracle.same(case)
    oracle.same_error(lambda torch: torch.nn.Module()(1), 'Module [Module] is missing the required "forward" function')


def test_torchscript_is_nowhere(oracle):
    oracle.same(lambda torch: (torch.jit.is_scripting(), torch.jit.is_tracing()))

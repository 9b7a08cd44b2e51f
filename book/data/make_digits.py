"""Makes book/data/digits: real handwritten digits as a folder of images, by class.

    pip install scikit-learn pillow
    python book/data/make_digits.py

scikit-learn ships 1,797 digits of 8x8 pixels, each a number from 0 to 16. The first 36 of each class are written to
digits/CLASS/NUMBER.png, where NUMBER is the digit's place in scikit-learn's data set, with grey levels 0 to 255.
The same files come out at every run.
"""

from pathlib import Path

import numpy as np
from PIL import Image
from sklearn.datasets import load_digits

PER_CLASS = 36
BRIGHTEST = 16  # of the source
FOLDER = Path(__file__).parent / "digits"


def main():
    digits = load_digits()
    for label in range(10):
        folder = FOLDER / str(label)
        folder.mkdir(parents=True, exist_ok=True)
        for number in np.flatnonzero(digits.target == label)[:PER_CLASS]:
            grey = np.round(digits.images[number] * (255 / BRIGHTEST)).astype(np.uint8)
            Image.fromarray(grey).save(folder / f"{number:04d}.png", optimize=True)


if __name__ == "__main__":
    main()

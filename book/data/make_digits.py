"""Makes book/data/digits and few_digits: real handwritten digits as folders of images, by class.

    pip install scikit-learn pillow
    python book/data/make_digits.py

scikit-learn ships 1,797 digits of 8x8 pixels, each a number from 0 to 16. The first 36 of each class are written to
digits/CLASS/NUMBER.png, where NUMBER is the digit's place in scikit-learn's data set, with grey levels 0 to 255;
few_digits has 24 of them, three of each class from 0 to 7. The same files come out at every run.
"""

from pathlib import Path

import numpy as np
from PIL import Image
from sklearn.datasets import load_digits

DATA = Path(__file__).parent
BRIGHTEST = 16  # of the source


def write(digits, folder, labels, per_class):
    for label in labels:
        (folder / str(label)).mkdir(parents=True, exist_ok=True)
        for number in np.flatnonzero(digits.target == label)[:per_class]:
            grey = np.round(digits.images[number] * (255 / BRIGHTEST)).astype(np.uint8)
            Image.fromarray(grey).save(folder / str(label) / f"{number:04d}.png", optimize=True)


def main():
    digits = load_digits()
    write(digits, DATA / "digits", labels=range(10), per_class=36)
    write(digits, DATA / "few_digits", labels=range(8), per_class=3)


if __name__ == "__main__":
    main()

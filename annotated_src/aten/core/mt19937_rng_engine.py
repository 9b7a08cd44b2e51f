"""mt19937: the Mersenne Twister, which every random number on the CPU comes from.

Retells aten/src/ATen/core/MT19937RNGEngine.h.

The state is 624 words of 32 bits. A draw takes the next word and mixes its bits ("tempering"); when all 624 have been
taken, they are replaced by new ones, each made of three old ones (`next_state` upstream):

    seed     state[0] = seed;  state[j] = 1812433253 * (state[j-1] ^ state[j-1] >> 30) + j
    renew    y = upper bit of state[j], lower 31 bits of state[j+1]
             state[j] = state[j+397] ^ y >> 1, and, if y is odd, ^ 0x9908b0df      (indices modulo 624)
    draw     y = state[next];  y ^= y >> 11;  y ^= y << 7 & 0x9d2c5680;  y ^= y << 15 & 0xefc60000;  y ^= y >> 18

Only the seed's low 32 bits count. Each draw is one step along one stream: equal seeds and equal numbers of draws give
equal numbers, which is all that "reproducible" means.

Deviation: NumPy has the same generator, in C; it does the drawing here, many at a time.
"""

import numpy

from annotated_src.c10.util.exception import TorchError

MERSENNE_STATE_N = 624


class mt19937:
    """The stream of 32-bit draws that begins at a seed.

    seed_    what it was seeded with, 64 bits
    fresh    nothing was drawn since seeding; upstream's counters tell this from "624 words were drawn"
    """

    __slots__ = ("_bits", "_is_seeded", "fresh", "seed_")

    def __init__(self, seed=5489):
        self._bits = None
        self.seed(seed)

    def seed(self, seed):
        """Begin the stream of this seed."""
        self.seed_ = seed
        self.fresh = True
        self._is_seeded = False

    @property
    def bits(self):
        """NumPy's generator, made and seeded when it is first needed: many are seeded and never drawn from."""
        if self._bits is None:
            self._bits = numpy.random.MT19937(0)
        if not self._is_seeded:
            self._bits._legacy_seeding(self.seed_ & 0xFFFFFFFF)
            self._is_seeded = True
        return self._bits

    def __call__(self, count):
        """The next `count` draws, each below 2**32, as uint64."""
        self.fresh = self.fresh and count == 0
        return self.bits.random_raw(count)

    def data(self):
        """(left, next, state): draws left before the state is renewed (plus one), words taken of it, the words."""
        state = self.bits.state["state"]
        taken = state["pos"]
        if self.fresh:
            return 1, 0, state["key"]
        return MERSENNE_STATE_N + 1 - taken, taken, state["key"]

    def set_data(self, seed, left, seeded, next_, state):
        """Go on where another engine's `data` says that it was."""
        if not (seeded == 1 and 0 < left <= MERSENNE_STATE_N and next_ <= MERSENNE_STATE_N):
            raise TorchError(
                f"Invalid mt19937 state: it must be seeded, with 1 to {MERSENNE_STATE_N} draws left, but has "
                f"seeded={seeded}, left={left}, next={next_}; pass what get_state() or get_rng_state() returned"
            )
        self.seed_ = seed
        self.fresh = left == 1 and next_ == 0
        position = MERSENNE_STATE_N if left == 1 else next_
        self.bits.state = {"bit_generator": "MT19937", "state": {"key": state, "pos": position}}

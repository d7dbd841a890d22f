"""Hashes of states and chance as agon has them: docs/reference/verify.md, "Hashes" and "Chance"."""
import struct

MASK = (1 << 64) - 1


def mix(word):
    """A number in which every bit depends on every bit of the word (SplitMix64)."""
    word = (word + 0x9E3779B97F4A7C15) & MASK
    word = ((word ^ word >> 30) * 0xBF58476D1CE4E5B9) & MASK
    word = ((word ^ word >> 27) * 0x94D049BB133111EB) & MASK
    return word ^ word >> 31


def key(index):
    """The number at this place of the sequence SplitMix64 from 0."""
    return mix((index * 0x9E3779B97F4A7C15) & MASK)


def fold(begin, parts):
    """The hash of words in their order."""
    for word in parts:
        begin = mix(begin ^ word)
    return begin


def words(data):
    """Bytes as words of eight, the lowest byte first."""
    return [int.from_bytes(data[at:at + 8], "little") for at in range(0, len(data), 8)]


def chacha8(seed, stream):
    """Numbers of 64 bits from ChaCha with 8 rounds, a seed of 32 bytes, and one of its streams."""
    block = 0
    while True:
        start = [0x61707865, 0x3320646E, 0x79622D32, 0x6B206574, *struct.unpack("<8I", seed),
                 block & 0xFFFFFFFF, block >> 32, stream & 0xFFFFFFFF, stream >> 32]
        x = start[:]
        for _ in range(4):
            for a, b, c, d in ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
                               (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14)):
                for into, add, turn, by in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
                    x[into] = (x[into] + x[add]) & 0xFFFFFFFF
                    x[turn] ^= x[into]
                    x[turn] = (x[turn] << by | x[turn] >> 32 - by) & 0xFFFFFFFF
        out = [(a + b) & 0xFFFFFFFF for a, b in zip(x, start)]
        yield from (out[at] | out[at + 1] << 32 for at in range(0, 16, 2))
        block += 1


def below(draws, bound):
    """A number below the bound, each as likely as any other."""
    while True:
        product = next(draws) * bound
        if product & MASK >= ((1 << 64) - bound) % bound:
            return product >> 64


def shuffle(draws, items):
    """Puts the items in random order."""
    for last in range(len(items) - 1, 0, -1):
        other = below(draws, last + 1)
        items[last], items[other] = items[other], items[last]

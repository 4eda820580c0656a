#!/usr/bin/env python3
"""Writes src/background.bin from a list of `stem<TAB>level` lines: see src/background.rs for the form."""
import sys

MASK = (1 << 64) - 1


def term_hash(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & MASK
    value ^= value >> 32
    value = value * 0x9E3779B97F4A7C15 & MASK
    return value ^ value >> 29


def main(source, target):
    levels = {}
    for line in open(source, encoding="utf-8"):
        if line.startswith("#") or not line.strip():
            continue
        stem, level = line.rstrip("\n").split("\t")
        levels[term_hash(stem) >> 39 & 0xFFFFFF] = int(level)
    keys = sorted(levels)
    deltas = [key - before for before, key in zip([0] + keys, keys)]
    assert max(deltas) < 1 << 16, max(deltas)
    nibbles = [levels[key] for key in keys] + [0]
    packed = [nibbles[i] | nibbles[i + 1] << 4 for i in range(0, len(keys), 2)]
    with open(target, "wb") as out:
        for delta in deltas:
            out.write(delta.to_bytes(2, "little"))
        out.write(bytes(packed))


main(*sys.argv[1:])

# SPDX-License-Identifier: GPL-2.0-or-later
"""Profiles (profile.proto of google/pprof) as Python: what the tests ask of them."""
import gzip
from collections import namedtuple

# `stack`: names, the innermost first; of code without a name (build id, offset). `values` by type, `labels` by key.
Sample = namedtuple("Sample", "stack values labels")
Profile = namedtuple("Profile", "samples began took comments")


def varint(data, at):
    value = shift = 0
    while True:
        byte = data[at]
        value, at, shift = value | (byte & 0x7f) << shift, at + 1, shift + 7
        if byte < 0x80:
            return value, at


def fields(data):
    """All values of each field, by its number."""
    found, at = {}, 0
    while at < len(data):
        tag, at = varint(data, at)
        value, at = varint(data, at)
        if tag & 7 == 2:
            size, value, at = value, data[at:at + value], at + value
            assert len(value) == size, "cut off"
        else:
            assert tag & 7 == 0, tag
        found.setdefault(tag >> 3, []).append(value)
    return found


def packed(data):
    at = 0
    while at < len(data):
        value, at = varint(data, at)
        yield value


def one(message, number):
    return message.get(number, [0])[0]


def read(path):
    """A profile; an exception if it is damaged."""
    with open(path, "rb") as file:
        message = fields(gzip.decompress(file.read()))
    strings = [text.decode() for text in message[6]]
    types = [strings[one(fields(part), 1)] for part in message[1]]
    functions = {one(part, 1): strings[one(part, 2)] for part in map(fields, message.get(5, []))}
    ids = {one(part, 1): strings[one(part, 6)] for part in map(fields, message.get(3, []))}
    places = {}
    for part in map(fields, message.get(4, [])):
        lines = part.get(4)
        places[one(part, 1)] = functions[one(fields(lines[0]), 1)] if lines else (ids[one(part, 2)], one(part, 3))
    samples = []
    for part in map(fields, message.get(2, [])):
        labels = [fields(label) for label in part.get(3, [])]
        samples.append(Sample([places[number] for number in packed(one(part, 1))],
                              dict(zip(types, packed(one(part, 2)))),
                              {strings[one(label, 1)]: strings[one(label, 2)] for label in labels}))
    return Profile(samples, one(message, 9) / 1e9, one(message, 10) / 1e9,
                   [strings[number] for number in message.get(13, [])])

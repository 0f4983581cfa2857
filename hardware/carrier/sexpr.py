"""Reads what KiCad writes: nested lists of words (s-expressions)."""

import re
from collections.abc import Iterator
from typing import Any

Node = list[Any]
_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([()])|([^\s()"]+)')


def parse(text: str) -> Node:
    """The outermost list; words are strings without their quotes. ValueError: no whole list."""
    stack: list[Node] = [[]]
    for found in _TOKEN.finditer(text):
        quoted, bracket, word = found.groups()
        if bracket == "(":
            stack.append([])
        elif bracket == ")":
            inner = stack.pop()
            if not stack:
                break
            stack[-1].append(inner)
        else:
            stack[-1].append(word if quoted is None else re.sub(r"\\(.)", r"\1", quoted))
    if len(stack) != 1 or len(stack[0]) != 1 or not isinstance(stack[0][0], list):
        raise ValueError("a bracket is missing: this is no whole file of KiCad.")
    whole: Node = stack[0][0]
    return whole


def every(node: Node, name: str) -> Iterator[Node]:
    """The lists in a list that begin with a name."""
    return (inner for inner in node if isinstance(inner, list) and inner and inner[0] == name)


def first(node: Node, name: str) -> Node:
    """What stands behind the name in the first such list; empty if there is none."""
    return next(every(node, name), [name])[1:]

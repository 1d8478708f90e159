"""What an expression can give on the objects that a schema allows, before there is any object.

infer(tree, type) -> Inferred    result types, how many, fields that are not there, ways to fail
words(value) -> str              a type for a person to read
"""

from kartatest.infer.counts import Count
from kartatest.infer.inferred import Inferred, infer
from kartatest.infer.lattice import Kind, Value
from kartatest.infer.wording import words

__all__ = ["Count", "Inferred", "Kind", "Value", "infer", "words"]

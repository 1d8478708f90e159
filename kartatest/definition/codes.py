"""Codes of what can be wrong with a document's shape, before rules ask whether it makes sense."""

from __future__ import annotations

from kartatest.diagnostics import Severity
from kartatest.yamlpos.codes import Code

NOT_A_DEFINITION = Code(
    "KT007",
    "not-a-definition",
    Severity.ERROR,
    "A document in a definition file is no definition: its apiVersion or kind is another's, or missing.",
    "It would be skipped, and whoever checks the file would think that it was looked at.",
)
DEPRECATED_KIND = Code(
    "KT008",
    "deprecated-kind",
    Severity.WARNING,
    "The definition uses the format's earlier name.",
    "Current consumers know the kind Karta alone and do not see definitions of the earlier kind.",
)
WRONG_TYPE = Code(
    "KT010",
    "wrong-type",
    Severity.ERROR,
    "A field's value has the wrong type, such as an unquoted True where text belongs.",
    "The API server refuses the document. Tools that read files turn the value into other text than was written: "
    "True becomes 'true', 1.10 becomes '1.1'.",
)
UNKNOWN_FIELD = Code(
    "KT011",
    "unknown-field",
    Severity.ERROR,
    "The format has no field of this name at this place.",
    "The API server drops the field and files are read without it, so what it says never takes effect.",
)
MISSING_FIELD = Code(
    "KT012",
    "missing-field",
    Severity.ERROR,
    "A field that the format requires is missing.",
    "The API server refuses the document; tools that read files fill in an empty value and misread it.",
)
TOO_SHORT = Code(
    "KT013",
    "too-short",
    Severity.ERROR,
    "A list, mapping or text that must not be empty is empty.",
    "The API server refuses the document.",
)
NOT_A_LIST = Code(
    "KT014",
    "map-instead-of-list",
    Severity.ERROR,
    "A mapping stands where the format wants a list.",
    "The API server refuses the document, and no consumer can read the entries.",
)
REPEATED_ITEM = Code(
    "KT015",
    "repeated-item",
    Severity.ERROR,
    "Two items of a list have the same identifying value.",
    "The API server tells the items apart by it and refuses the second.",
)

LOADING_CODES: tuple[Code, ...] = (
    NOT_A_DEFINITION,
    DEPRECATED_KIND,
    WRONG_TYPE,
    UNKNOWN_FIELD,
    MISSING_FIELD,
    TOO_SHORT,
    NOT_A_LIST,
    REPEATED_ITEM,
)
"""All that `load` reports beside what the YAML reader does, in code order."""

"""Definitions: what they say (model), how they are read (load), and what is asked of them (walk).

load(source) -> Loaded            definitions and diagnostics; `load_file(path)` likewise
walk.expressions(definition)      every expression
schema.json_schema()              the format as JSON Schema; schema.crd() as a CRD
"""

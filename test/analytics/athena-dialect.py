"""Reads SQL in Athena's dialect from a JSON list on the standard input, and prints each statement as DuckDB's."""

import json
import sys

import sqlglot

print(
    json.dumps(
        [
            sqlglot.transpile(sql, read="athena", write="duckdb", unsupported_level=sqlglot.ErrorLevel.RAISE)
            for sql in json.load(sys.stdin)
        ]
    )
)

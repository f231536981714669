"""Callfeed's two tables, for readers."""

import os
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any
from urllib.parse import quote

import boto3

Row = dict[str, Any]


def key(*parts: str) -> str:
    """Joins the parts of a key, each encoded as by JavaScript's encodeURIComponent."""
    return "#".join(quote(part, safe="-_.!~*'()") for part in parts)


def instant(moment: datetime) -> str:
    """An instant in the form of the tables: UTC with milliseconds, so that text order is time order."""
    return moment.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def moment(text: str) -> datetime:
    """Parses an instant of the tables. Python below 3.11 does not parse the Z."""
    return datetime.fromisoformat(text.replace("Z", "+00:00"))


def show(line: str) -> None:
    """Prints a line. Control characters and turned text, by which a sender could rewrite a terminal, show as their codes."""
    print("".join(one if one.isprintable() else f"\\u{ord(one):04x}" for one in line))


def calls_table() -> Any:
    return boto3.resource("dynamodb").Table(os.environ.get("CALLS_TABLE", "callfeed-calls"))


def agents_table() -> Any:
    return boto3.resource("dynamodb").Table(os.environ.get("AGENTS_TABLE", "callfeed-agents"))


def query(table: Any, **request: Any) -> Iterator[Row]:
    """All rows of a query. DynamoDB ends a page at 1 MB and returns the start of the next one."""
    while True:
        page = table.query(**request)
        yield from page["Items"]
        if "LastEvaluatedKey" not in page:
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]

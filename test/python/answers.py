"""Answers questions of its standard input by the module, as JSON: one answer for each question."""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from datetime import datetime
from typing import Any

import boto3

from callfeed import Callfeed

ARGUMENTS = {
    "from": "from_",
    "timeZone": "time_zone",
    "withinSeconds": "within_seconds",
    "asOf": "as_of",
    "recordedFrom": "recorded_from",
    "recordedTo": "recorded_to",
}


def camel(name: str) -> str:
    first, *others = name.split("_")
    return first + "".join(part[0].upper() + part[1:] for part in others)


def plain(value: Any) -> Any:
    """As the client in TypeScript has it: names in camel case, and no field without a value."""
    if is_dataclass(value):
        named = ((field.name, getattr(value, field.name)) for field in fields(value))
        return {camel(name): plain(each) for name, each in named if each is not None}
    if isinstance(value, dict):
        return {name: plain(each) for name, each in value.items()}
    return [plain(each) for each in value] if isinstance(value, (list, Iterator)) else value


def answer(tables: dict[str, str], question: dict[str, Any]) -> Any:
    callfeed = Callfeed(
        dynamodb,
        calls_table=tables["calls"],
        agents_table=tables["agents"],
        account=question["account"],
        clock=lambda: datetime.fromisoformat(question["now"]),
    )
    given = {ARGUMENTS.get(name, name): value for name, value in question["given"].items()}
    asked: dict[str, Callable[..., Any]] = {
        "floor": callfeed.floor,
        "call": callfeed.call,
        "calls": callfeed.calls,
        "missedCalls": callfeed.missed_calls,
    }
    return plain(asked[question["ask"]](**given))


dynamodb = boto3.client("dynamodb")
request = json.load(sys.stdin)
json.dump([answer(request["tables"], question) for question in request["questions"]], sys.stdout)

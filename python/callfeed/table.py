"""Requests to DynamoDB, and the values that its rows have."""

import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime, timedelta, timezone
from datetime import time as time_of_day
from typing import Any, Protocol, TypeVar, cast
from urllib.parse import quote
from zoneinfo import ZoneInfo

Row = Mapping[str, Any]
"""A row as it is stored: texts, whole numbers as `int`, other numbers as `float`, lists and maps of these."""

Moment = datetime | str
"""A datetime with a time zone, or an ISO instant with one, such as 2026-11-20T11:30:00+05:30."""

Kind = TypeVar("Kind", bound=Mapping[str, Any])

MAX_KEYS = 100  # of one BatchGetItem
UNREAD_PAUSE_SECONDS = 0.1


class DynamoDB(Protocol):
    """What is asked of `boto3.client("dynamodb")`."""

    exceptions: Any

    def get_item(self, *args: Any, **request: Any) -> Any: ...
    def query(self, *args: Any, **request: Any) -> Any: ...
    def batch_get_item(self, *args: Any, **request: Any) -> Any: ...
    def put_item(self, *args: Any, **request: Any) -> Any: ...
    def delete_item(self, *args: Any, **request: Any) -> Any: ...


class UnreadableRow(Exception):
    """A row lacks fields that every row of its kind has. Names the kind and the fields, and never a value."""


def value_of(attribute: Mapping[str, Any]) -> Any:
    """A value of DynamoDB. boto3's own reading makes each number a Decimal, which JSON and `int` arguments do not take."""
    [(kind, value)] = attribute.items()
    if kind == "N":
        return int(value) if value.removeprefix("-").isdecimal() else float(value)
    if kind == "L":
        return [value_of(each) for each in value]
    if kind == "M":
        return {name: value_of(each) for name, each in value.items()}
    return None if kind == "NULL" else value


def row_of(item: Mapping[str, Any]) -> Row:
    return {name: value_of(attribute) for name, attribute in item.items()}


def read_as(kind: type[Kind], row: Row) -> Kind:
    """The fields of one kind of row, without keys and what a later version added. Raises UnreadableRow."""
    required = cast(frozenset[str], getattr(kind, "__required_keys__"))
    optional = cast(frozenset[str], getattr(kind, "__optional_keys__"))
    missing = required - row.keys()
    if missing:
        raise UnreadableRow(f"{kind.__name__} lacks {', '.join(sorted(missing))}")
    return cast(Kind, {name: value for name, value in row.items() if name in required | optional})


def query(
    dynamodb: DynamoDB,
    table: str,
    condition: str,
    values: Mapping[str, str],
    *,
    index: str | None = None,
    backwards: bool = False,
    page_size: int | None = None,
) -> Iterator[Row]:
    """The rows of a query, page by page: a page is read once its first row is asked for."""
    request: dict[str, Any] = {
        "TableName": table,
        "KeyConditionExpression": condition,
        "ExpressionAttributeValues": {name: {"S": value} for name, value in values.items()},
        "ScanIndexForward": not backwards,
    }
    if index is not None:
        request["IndexName"] = index
    if page_size is not None:
        request["Limit"] = page_size
    while True:
        page = dynamodb.query(**request)
        yield from map(row_of, page["Items"])
        if "LastEvaluatedKey" not in page:
            return
        request["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def rows_of_calls(dynamodb: DynamoDB, table: str, partitions: Iterable[str], fields: Iterable[str]) -> Iterator[Row]:
    """Fields of the rows of calls that exist, in any order. Consistent: a row that an index has may not be missing here."""
    names = {f"#{name}": name for name in fields}
    options = {"ConsistentRead": True, "ProjectionExpression": ", ".join(names), "ExpressionAttributeNames": names}
    left = [{"pk": {"S": pk}, "sk": {"S": "call"}} for pk in dict.fromkeys(partitions)]
    while left:
        answer = dynamodb.batch_get_item(RequestItems={table: {"Keys": left[:MAX_KEYS], **options}})
        # An ARN may come back as the name.
        for items in answer["Responses"].values():
            yield from map(row_of, items)
        unread = [key for request in answer["UnprocessedKeys"].values() for key in request["Keys"]]
        left = left[MAX_KEYS:] + unread
        if unread:
            time.sleep(UNREAD_PAUSE_SECONDS)


def joined_key(*parts: str) -> str:
    """A key of several parts, encoded as by JavaScript's encodeURIComponent."""
    return "#".join(quote(part, safe="-_.!~*'()") for part in parts)


def moment_of(at: Moment) -> datetime:
    """Raises ValueError for a local time: without a zone it could be any of some forty instants."""
    moment = datetime.fromisoformat(at) if isinstance(at, str) else at
    if moment.tzinfo is None:
        raise ValueError("expected a datetime with a time zone, or an ISO instant with one, such as 2026-11-20T06:00:00Z")
    return moment


def instant_of(at: Moment) -> str:
    """An instant in the form that rows hold."""
    return moment_of(at).astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def moved(at: str, seconds: float) -> str:
    return instant_of(moment_of(at) + timedelta(seconds=seconds))


def seconds_between(earlier: str, later: str) -> float:
    return (moment_of(later) - moment_of(earlier)).total_seconds()


def day_bounds(day: date | str, time_zone: str) -> tuple[str, str]:
    """The first and the last instant of a day, such as 2026-11-20, in an IANA time zone such as Asia/Kolkata."""
    that = date.fromisoformat(day) if isinstance(day, str) else day
    start, end = (datetime.combine(each, time_of_day.min, ZoneInfo(time_zone)) for each in (that, that + timedelta(days=1)))
    return instant_of(start), moved(instant_of(end), -0.001)

"""Every call once it is known, for a nightly job: python nightly_export.py ACCOUNT FOLDER [TIME_ZONE]

Run it an hour or more after the account's midnight. It writes one file, a call in each line: the calls of the days since the
last run, and the late calls of earlier days that were recorded since.
"""

import json
import sys
from collections.abc import Iterator
from datetime import date, datetime, time, timedelta, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from boto3.dynamodb.conditions import Key

from tables import Row, calls_table, instant, key, query

# A call is listed an hour after its start, or it will be in the index of late calls.
IN_TIME = timedelta(hours=1)
# From the instant in firstRecordedAt until readers see the row.
WRITE_DELAY = timedelta(minutes=1)


def calls_of_day(account: str, midnight: datetime, next_midnight: datetime) -> Iterator[Row]:
    by_time = Key("accountCalls").eq(key(account)) & Key("listedAt").between(
        instant(midnight), instant(next_midnight - timedelta(milliseconds=1))
    )
    return query(calls_table(), IndexName="byTime", KeyConditionExpression=by_time)


def late_calls(account: str, after: str, until: str) -> Iterator[Row]:
    """The late calls that were recorded after one instant and up to another."""
    by_recording = Key("lateCalls").eq(key(account)) & Key("firstRecordedAt").between(after, until)
    rows = query(calls_table(), IndexName="byLateRecording", KeyConditionExpression=by_recording)
    # BETWEEN includes both ends.
    return (row for row in rows if row["firstRecordedAt"] != after)


def replace(file: Path, text: str) -> None:
    """A crash leaves the old file or the new one, and never a part."""
    new = file.with_suffix(".new")
    new.write_text(text, encoding="utf-8")
    new.replace(file)


def as_json(value: Any) -> int | float:
    # DynamoDB's numbers come as Decimal.
    return int(value) if value == int(value) else float(value)


def export(account: str, folder: Path, zone: ZoneInfo, now: datetime) -> Path:
    def midnight(day: date) -> datetime:
        return datetime.combine(day, time.min, zone)

    today = now.astimezone(zone).date()
    if now < midnight(today) + IN_TIME + WRITE_DELAY:
        raise SystemExit(f"Too early: yesterday is complete an hour after midnight in {zone.key}.")
    progress = folder / "progress.json"
    begin = {"next_day": str(today - timedelta(days=1)), "late_until": instant(midnight(today))}
    last = json.loads(progress.read_text(encoding="utf-8")) if progress.exists() else begin

    calls: dict[str, Row] = {}
    day = date.fromisoformat(last["next_day"])
    while day < today:
        calls |= {row["callId"]: row for row in calls_of_day(account, midnight(day), midnight(day + timedelta(days=1)))}
        day += timedelta(days=1)
    late_until = instant(now - WRITE_DELAY)
    # A late call of yesterday is in both lists.
    calls |= {row["callId"]: row for row in late_calls(account, last["late_until"], late_until)}

    file = folder / f"calls-{now.astimezone(timezone.utc):%Y%m%dT%H%M%SZ}.jsonl"
    replace(file, "".join(f"{json.dumps(row, default=as_json)}\n" for row in calls.values()))
    # Only now: after a crash the next run repeats calls instead of losing them.
    replace(progress, json.dumps({"next_day": str(day), "late_until": late_until}))
    return file


def main(account: str, folder: str, time_zone: str = "Asia/Kolkata") -> None:
    Path(folder).mkdir(parents=True, exist_ok=True)
    print(export(account, Path(folder), ZoneInfo(time_zone), datetime.now(ZoneInfo("UTC"))))


if __name__ == "__main__":
    if not 3 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])

"""The missed calls of a day, newest first: python missed_calls.py ACCOUNT [DAY [TIME_ZONE]]"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from boto3.dynamodb.conditions import Attr, Key

from tables import calls_table, instant, key, moment, query, show


@dataclass(frozen=True)
class MissedCall:
    call_id: str
    at: datetime
    skill: str | None
    # Personal: do not log it.
    customer_number: str | None
    waited: timedelta | None


def missed_calls(account: str, day: date, zone: ZoneInfo) -> Iterator[MissedCall]:
    """A day begins at midnight in the account's zone, and ends with the last millisecond before the next."""
    midnight = datetime.combine(day, time.min, zone)
    next_midnight = datetime.combine(day + timedelta(days=1), time.min, zone)
    rows = query(
        calls_table(),
        IndexName="byTime",
        ScanIndexForward=False,
        KeyConditionExpression=Key("accountCalls").eq(key(account))
        & Key("listedAt").between(instant(midnight), instant(next_midnight - timedelta(milliseconds=1))),
        # DynamoDB filters after reading, so you pay for all calls of the day.
        # The contract's rule for missed calls: a call without a type may be an inbound one.
        FilterExpression=Attr("status").eq("not-answered")
        & (Attr("type").eq("inbound") | Attr("type").not_exists()),
    )
    for row in rows:
        seconds = row.get("callDurationSeconds")
        yield MissedCall(
            call_id=row["callId"],
            at=moment(row["listedAt"]),
            skill=row.get("skillName"),
            customer_number=row.get("customerNumber"),
            # DynamoDB's numbers come as Decimal.
            waited=None if seconds is None else timedelta(seconds=float(seconds)),
        )


def main(account: str, day: str | None = None, time_zone: str = "Asia/Kolkata") -> None:
    zone = ZoneInfo(time_zone)
    chosen = datetime.now(zone).date() if day is None else date.fromisoformat(day)
    for call in missed_calls(account, chosen, zone):
        waited = "" if call.waited is None else f"after {call.waited.total_seconds():.0f} s"
        at = f"{call.at.astimezone(zone):%H:%M:%S}"
        show(f"{at}  {call.call_id}  {call.customer_number or '-'}  {call.skill or '-'}  {waited}".rstrip())


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])

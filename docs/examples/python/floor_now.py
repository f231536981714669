"""The logged-in agents, and how old that data is: python floor_now.py ACCOUNT"""

import sys
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from boto3.dynamodb.conditions import Key

from tables import Row, agents_table, key, moment, query, show


@dataclass(frozen=True)
class Agent:
    agent_id: str
    state: str
    since: datetime
    skills: tuple[str, ...]


@dataclass(frozen=True)
class Floor:
    """The agents at `as_of`. Once `is_stale`, their present state is unknown."""

    as_of: datetime
    age: timedelta
    is_stale: bool
    agents: tuple[Agent, ...]


def agent(row: Row) -> Agent:
    return Agent(row["agentId"], row["state"], moment(row["since"]), tuple(row.get("skills", ())))


def floor_now(account: str, now: datetime) -> Floor | None:
    """The agents, stale by the reader's clock: a stopped poller writes nothing. None before the first poll."""
    rows = list(query(agents_table(), KeyConditionExpression=Key("pk").eq(key(account))))
    feed = next((row for row in rows if row["sk"] == "feed"), None)
    if feed is None or "asOf" not in feed:
        return None

    as_of = moment(feed["asOf"])
    return Floor(
        as_of=as_of,
        age=max(now - as_of, timedelta()),
        is_stale=feed["status"] != "live" or now > moment(feed["staleAt"]),
        # An agent who has just logged out still has a row for a moment.
        agents=tuple(agent(row) for row in rows if row.get("kind") == "agent" and row["state"] != "logged-out"),
    )


def main(account: str) -> None:
    floor = floor_now(account, datetime.now(timezone.utc))
    if floor is None:
        sys.exit(f"NEVER POLLED: no poll of {account} has succeeded yet.")

    seen = f"seen {floor.age.total_seconds():.0f} s ago"
    print(f"STALE: {seen}, and it may have changed since. Last known:" if floor.is_stale else f"Live: {seen}.")
    for one in sorted(floor.agents, key=lambda one: (one.state, one.since)):
        show(f"{one.state:10}  {one.agent_id:20}  since {one.since:%H:%M:%S} UTC  {', '.join(one.skills)}".rstrip())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])

"""Who is logged in, and how old that is: python floor_now.py ACCOUNT"""

import sys
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from boto3.dynamodb.conditions import Key

from tables import Row, agents_table, key, moment, query


@dataclass(frozen=True)
class Agent:
    agent_id: str
    state: str
    since: datetime
    skills: tuple[str, ...]


@dataclass(frozen=True)
class Floor:
    """The agents are those of `as_of`. Once `is_stale`, nobody knows where they are by now."""

    as_of: datetime
    age: timedelta
    is_stale: bool
    agents: tuple[Agent, ...]


def agent(row: Row) -> Agent:
    return Agent(row["agentId"], row["state"], moment(row["since"]), tuple(row.get("skills", ())))


def floor_now(account: str, now: datetime) -> Floor | None:
    """The floor by the reader's clock: nothing is written once nobody polls. None before the first picture."""
    rows = list(query(agents_table(), KeyConditionExpression=Key("pk").eq(key(account))))
    feed = next((row for row in rows if row["sk"] == "feed"), None)
    if feed is None or "asOf" not in feed:
        return None

    as_of = moment(feed["asOf"])
    return Floor(
        as_of=as_of,
        age=max(now - as_of, timedelta()),
        is_stale=feed["status"] != "live" or now > moment(feed["staleAt"]),
        # Who has just left has a row for a moment yet.
        agents=tuple(agent(row) for row in rows if row.get("kind") == "agent" and row["state"] != "logged-out"),
    )


def main(account: str) -> None:
    floor = floor_now(account, datetime.now(timezone.utc))
    if floor is None:
        sys.exit(f"NEVER POLLED: nobody has seen the floor of {account} yet.")

    seen = f"seen {floor.age.total_seconds():.0f} s ago"
    print(f"STALE: {seen}, and it may be otherwise by now. It was:" if floor.is_stale else f"Live: {seen}.")
    for one in sorted(floor.agents, key=lambda one: (one.state, one.since)):
        print(f"{one.state:10}  {one.agent_id:20}  since {one.since:%H:%M:%S} UTC  {', '.join(one.skills)}".rstrip())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])

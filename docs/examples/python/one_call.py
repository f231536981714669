"""A call with its legs and participants: python one_call.py ACCOUNT CALL_ID"""

import sys
from dataclasses import dataclass

from boto3.dynamodb.conditions import Key

from tables import calls_table, key, query


@dataclass(frozen=True)
class Leg:
    leg: str
    status: str | None
    agent_ids: tuple[str, ...]
    dispositions: tuple[str, ...]
    revision: int
    deliveries: int


@dataclass(frozen=True)
class Participant:
    participant_id: str
    # How the participant's part ended, in the service's own words.
    exit_status: str | None


@dataclass(frozen=True)
class Call:
    """Ids are text: they may have more digits than a number can hold."""

    call_id: str
    legs: tuple[Leg, ...]
    participants: tuple[Participant, ...]


def one_call(account: str, call_id: str) -> Call | None:
    rows = list(query(calls_table(), KeyConditionExpression=Key("pk").eq(key(account, call_id))))
    if not rows:
        return None

    return Call(
        call_id=call_id,
        legs=tuple(
            Leg(
                leg=row["leg"],
                status=row.get("status"),
                agent_ids=tuple(row.get("agentIds", ())),
                dispositions=tuple(row.get("dispositions", ())),
                revision=int(row["revision"]),
                deliveries=len(row["deliveries"]),
            )
            for row in rows
            if row["kind"] == "call"
        ),
        participants=tuple(
            Participant(row["participantId"], row.get("exitStatus")) for row in rows if row["kind"] == "participant"
        ),
    )


def main(account: str, call_id: str) -> None:
    call = one_call(account, call_id)
    if call is None:
        sys.exit(f"There is no call {call_id} of {account}.")

    for leg in call.legs:
        agents = ", ".join(leg.agent_ids) or "nobody"
        history = f"revision {leg.revision}, delivered {leg.deliveries} times"
        print(f"leg {leg.leg}: {leg.status or 'no status'}, {agents}, {history}")
        if leg.dispositions:
            print(f"  disposition: {', '.join(leg.dispositions)}")
    for participant in call.participants:
        print(f"participant {participant.participant_id}: {participant.exit_status or '-'}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])

"""A call with its legs and participants: python one_call.py ACCOUNT CALL_ID"""

import sys
from dataclasses import dataclass

from boto3.dynamodb.conditions import Key

from tables import calls_table, key, query, show


@dataclass(frozen=True)
class Participant:
    participant_id: str
    # How the participant's part ended, in the service's own words.
    exit_status: str | None


@dataclass(frozen=True)
class Call:
    """Ids are text: they may have more digits than a number can hold."""

    call_id: str
    status: str | None
    agent_ids: tuple[str, ...]
    dispositions: tuple[str, ...]
    legs: tuple[str, ...]
    revision: int
    deliveries: int
    participants: tuple[Participant, ...]


def one_call(account: str, call_id: str) -> Call | None:
    rows = list(query(calls_table(), KeyConditionExpression=Key("pk").eq(key(account, call_id))))
    # Participants can come before the summary of their call.
    call = next((row for row in rows if row["kind"] == "call"), None)
    if call is None:
        return None

    return Call(
        call_id=call_id,
        status=call.get("status"),
        agent_ids=tuple(call.get("agentIds", ())),
        dispositions=tuple(call.get("dispositions", ())),
        legs=tuple(f"{leg['ucid']} {leg.get('status', 'no status')}" for leg in call.get("legs", ())),
        revision=int(call["revision"]),
        deliveries=len(call["deliveries"]),
        participants=tuple(
            Participant(row["participantId"], row.get("exitStatus")) for row in rows if row["kind"] == "participant"
        ),
    )


def main(account: str, call_id: str) -> None:
    call = one_call(account, call_id)
    if call is None:
        sys.exit(f"There is no call {call_id} of {account}.")

    agents = ", ".join(call.agent_ids) or "nobody"
    history = f"revision {call.revision}, delivered {call.deliveries} times"
    show(f"call {call.call_id}: {call.status or 'no status'}, {agents}, {history}")
    if call.dispositions:
        show(f"  disposition: {', '.join(call.dispositions)}")
    for leg in call.legs:
        show(f"  leg {leg}")
    for participant in call.participants:
        show(f"participant {participant.participant_id}: {participant.exit_status or '-'}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])

"""What became of missed calls, by the rule of docs/contract.md: missed and still open."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import floor
from statistics import median
from typing import Any, get_args

from .rows import CallSummary, ListedCall, MissedState, WaitingCaller
from .table import Row, seconds_between

MAX_UNDER_WAY_SECONDS = 4 * 3_600
"""How long before a missed call another one may have begun, and still be under way."""

ROW_FIELDS = ("callId", "customerNumberE164", "type", "status", "agentIds", "agentStatuses", "customerStatuses", "legs")
"""What is read of the row of a missed call or conversation: a list lacks the number in E.164, and who took part."""

ENDING_DIGITS = 6
"""The last digits of a number: they are the same in all its spellings that are digits alone."""

OUTGOING = ("manual", "preview", "progressive", "predictive")

# These words do not say that a side was absent: whoever hung up was there, and an unknown word may mean anything.
MAY_BE_THERE = {"answered", "success", "normal-unspecified", "unknown"}
CUSTOMER_MAY_BE_THERE = MAY_BE_THERE | {"user-disconnected"}
AGENT_MAY_BE_THERE = MAY_BE_THERE | {"agent-disconnected"}

MIN_SHARED_DIGITS = 7


@dataclass(frozen=True)
class AnsweredBy:
    """The call that ended a wait, and the seconds from the start of the missed one to its start: 0 if it was under way."""

    call_id: str
    after_seconds: float


@dataclass(frozen=True)
class MissedCall:
    """A missed call and what became of it. `caller_e164` is None where the state says that nobody knows who called."""

    call: ListedCall
    state: MissedState
    caller_e164: str | None = None
    answered_by: AnsweredBy | None = None


@dataclass(frozen=True)
class MissedCalls:
    """
    The missed `calls` of a range, newest first, and who of their callers waits: the most attempts first, then the longest
    waiting. `left_out` has the calls whose caller nobody knows, as `state` says: they are in no row of `waiting`. All is
    true for `as_of`: a callback that arrives later may end a wait. `returned_after_seconds` is the middle of the times
    after which calls were returned; None if none was.
    """

    as_of: str
    calls: list[MissedCall]
    waiting: list[WaitingCaller]
    left_out: list[MissedCall]
    counts: dict[MissedState, int]
    returned_after_seconds: float | None


def is_missed(call: ListedCall | CallSummary) -> bool:
    """Whether a customer called and nobody answered. A call without a type counts as one of a customer."""
    return call.get("status") == "not-answered" and call.get("type", "inbound") == "inbound"


def is_conversation(call: ListedCall | CallSummary) -> bool:
    """Whether a customer may have spoken with a person: a menu, a mail and a chat answer no call."""
    return call.get("status") == "answered" and call.get("type", "inbound") in ("inbound", *OUTGOING)


def may_end_wait(call: ListedCall, endings: set[str]) -> bool:
    """Whether a conversation may be with one of the callers whose numbers end so, or go on as another call."""
    digits = call.get("customerNumber", "").removeprefix("+")
    is_plain = digits.isascii() and digits.isdecimal() and len(digits) > ENDING_DIGITS
    return "linkedCallId" in call or not is_plain or digits[-ENDING_DIGITS:] in endings


def has_spoken(row: Row) -> bool:
    """
    Whether agent and customer spoke. An outgoing call is answered too where the customer was busy, and where no agent had
    it. What a row does not say is taken as spoken. Of several legs one suffices.
    """
    if row.get("type") not in OUTGOING:
        return True
    is_by_dialler = row.get("type") in ("progressive", "predictive")

    def has_both(part: Mapping[str, Any]) -> bool:
        agent = part.get("agentStatuses")
        has_agent = bool(AGENT_MAY_BE_THERE.intersection(agent)) if agent else "agentIds" in part or not is_by_dialler
        return has_agent and bool(CUSTOMER_MAY_BE_THERE.intersection(part.get("customerStatuses", ["unknown"])))

    legs = [leg for leg in row.get("legs", []) if leg.get("status") == "answered"]
    return any(has_both(part) for part in (row, *legs))


def is_shared(number: str, shared: Iterable[str]) -> bool:
    """Whether a number in E.164 is one of those that somebody typed: it ends with all their digits, but for zeros before them."""
    typed = ("".join(filter(str.isdecimal, one)).lstrip("0") for one in shared)
    return any(len(digits) >= MIN_SHARED_DIGITS and number.endswith(digits) for digits in typed)


def judge(
    deciding: Iterable[ListedCall],
    asked: Iterable[ListedCall],
    rows: Mapping[str, Row],
    *,
    shared: Iterable[str],
    within_seconds: float,
    as_of: str,
    only_open: bool,
) -> MissedCalls:
    """
    What became of the `asked` calls, which are missed, by the calls that decide. A missed call is open until somebody spoke
    with the customer: in the call as which it went on, in one that was under way, or in one that starts later.
    """
    # Of two calls that start at once the missed one is first: the other one is not later, but may be under way.
    newest_first = sorted(deciding, key=lambda call: (call["listedAt"], is_missed(call), call["callId"]), reverse=True)
    asked_ids = {call["callId"] for call in asked}
    shared_numbers = {number for row in rows.values() if (number := row.get("customerNumberE164")) and is_shared(number, shared)}

    def caller_of(call: ListedCall) -> tuple[str | None, MissedState]:
        number = rows.get(call["callId"], {}).get("customerNumberE164")
        if call.get("customerNumber") == "erased":
            return None, "erased"
        if number is None:
            return None, "no-number"
        return (None, "shared-number") if number in shared_numbers else (number, "open")

    callers = {call["callId"]: caller_of(call) for call in newest_first}
    spoken = {call["callId"] for call in newest_first if is_conversation(call) and has_spoken(rows.get(call["callId"], {}))}
    linked_to: dict[str, list[ListedCall]] = defaultdict(list)
    for call in newest_first:
        if "linkedCallId" in call:
            linked_to[call["linkedCallId"]].append(call)

    def goes_on_as(missed: ListedCall) -> ListedCall | None:
        """The conversation as which it went on, at once or over further calls, each in the same second or later."""
        parts = {missed["callId"]: missed}
        waiting = [missed]
        for part in waiting:
            for following in linked_to[part["callId"]]:
                if following["listedAt"][:19] < part["listedAt"][:19]:
                    continue
                if following["callId"] in spoken:
                    return following
                if following["callId"] not in parts:
                    parts[following["callId"]] = following
                    waiting.append(following)
        return None

    under_way: dict[str, ListedCall] = {}
    running: dict[str, list[ListedCall]] = defaultdict(list)
    for call in reversed(newest_first):
        caller, _ = callers[call["callId"]]
        if caller is None:
            continue
        others = [
            other
            for other in running[caller]
            if other.get("endedAt", "") > call["listedAt"]
            and seconds_between(other["listedAt"], call["listedAt"]) <= MAX_UNDER_WAY_SECONDS
        ]
        if others:
            under_way[call["callId"]] = others[0]
        running[caller] = [*others, call] if call["callId"] in spoken else others

    found: list[MissedCall] = []
    latest: dict[str, ListedCall] = {}
    for call in newest_first:
        caller, state = callers[call["callId"]]
        if call["callId"] in asked_ids:
            ends = (goes_on_as(call), under_way.get(call["callId"]), latest.get(caller) if caller is not None else None)
            found.append(_outcome(MissedCall(call, state, caller), ends, within_seconds))
        if caller is not None and call["callId"] in spoken:
            latest[caller] = call
    return _answer(found, as_of, only_open)


def _outcome(missed: MissedCall, ends: tuple[ListedCall | None, ...], within_seconds: float) -> MissedCall:
    """The first end within the time. The first of `ends` is the call as which it went on."""
    for at, end in enumerate(ends):
        if end is None:
            continue
        after = max(0.0, seconds_between(missed.call["listedAt"], end["listedAt"]))
        if after <= within_seconds:
            direction: MissedState = "rang-again" if end.get("type", "inbound") == "inbound" else "returned"
            state: MissedState = "continued" if at == 0 else direction
            return MissedCall(missed.call, state, missed.caller_e164, AnsweredBy(end["callId"], after))
    return missed


def _answer(missed: list[MissedCall], as_of: str, only_open: bool) -> MissedCalls:
    states: Counter[MissedState] = Counter(each.state for each in missed)
    returned = [each.answered_by.after_seconds for each in missed if each.state == "returned" and each.answered_by]
    callers: dict[str, list[ListedCall]] = defaultdict(list)
    for each in sorted(missed, key=lambda each: each.call["listedAt"]):
        if each.state == "open" and each.caller_e164 is not None:
            callers[each.caller_e164].append(each.call)
    waiting = [_waiting(number, calls, as_of) for number, calls in callers.items()]
    return MissedCalls(
        as_of=as_of,
        calls=[each for each in missed if not only_open or each.state == "open"],
        waiting=sorted(waiting, key=lambda caller: (-caller["attempts"], caller["firstMissedAt"])),
        left_out=[each for each in missed if each.state in ("no-number", "shared-number", "erased")],
        counts={state: states[state] for state in get_args(MissedState)},
        returned_after_seconds=median(returned) if returned else None,
    )


def _waiting(number: str, calls: list[ListedCall], as_of: str) -> WaitingCaller:
    """The row of a caller, whose calls come with the oldest first."""
    first, last = calls[0], calls[-1]
    return {
        "customerNumber": last.get("customerNumber", number),
        "customerNumberE164": number,
        "attempts": len(calls),
        "firstMissedAt": first["listedAt"],
        "lastMissedAt": last["listedAt"],
        "waitingSeconds": max(0, floor(seconds_between(first["listedAt"], as_of))),
        "skills": list(dict.fromkeys(call["skillName"] for call in calls if "skillName" in call)),
        "callIds": [call["callId"] for call in calls],
    }

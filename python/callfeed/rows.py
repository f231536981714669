"""Rows and events of calls and agents, as the contract has them: docs/contract.md. Written by `npm run contract`.

A name that ends in `Seconds` has seconds. One that ends in `At`, `Of` or `Since` has an instant in UTC, as an ISO text with
milliseconds, so that the order of texts is that of time. Ids are texts: one of a call has more digits than a float holds.
A later version may add fields, and words.
"""

from typing import Any, Literal, NotRequired, TypedDict

Outcome = Literal[
    "answered",
    "not-answered",
    "not-dialled",
    "dialling",
    "ring",
    "busy",
    "rejected",
    "no-response",
    "max-dial-time-exceeded",
    "queue-time-exceeded",
    "user-disconnected",
    "agent-disconnected",
    "invalid-number",
    "invalid-number-format",
    "blocked-number",
    "do-not-disturb",
    "isd-disabled",
    "subscriber-absent",
    "no-route-destination",
    "congestion",
    "network-out-of-order",
    "recovery-on-timer-expiry",
    "authentication-error",
    "exception",
    "normal-unspecified",
    "failed",
    "success",
    "unknown",
]
AgentState = Literal[
    "ready",
    "acw",
    "idle",
    "busy",
    "in-call",
    "calling",
    "aux",
    "pause",
    "release",
    "offline",
    "unknown",
    "logged-out",
]
MissedState = Literal[
    "open",
    "returned",
    "rang-again",
    "continued",
    "no-number",
    "shared-number",
    "erased",
]

class CallFacts(TypedDict):
    """What was sent about a call, or about a leg of it."""

    status: NotRequired[Literal["answered", "not-answered", "unknown"]]
    """Whether it was answered."""
    statusAsSent: NotRequired[str]
    """The word as sent, where it is unknown or has a parameter."""
    type: NotRequired[Literal["progressive", "inbound", "manual", "preview", "mail", "ivr", "chat", "predictive", "unknown"]]
    """The kind of call."""
    typeAsSent: NotRequired[str]
    """The word as sent, where it is unknown or has a parameter."""
    startedAt: NotRequired[str]
    """When it started."""
    endedAt: NotRequired[str]
    """When it ended."""
    approximateAt: NotRequired[str]
    """Near which instant it took place, where the call report has it without a start or an end: `PickupTime`, else the beginning of the day of the report. Never beside `startedAt` or `endedAt`."""
    timeZone: str
    """The IANA zone of the sender’s local times."""
    callDurationSeconds: NotRequired[float]
    """As sent. The service sends the time from start to end."""
    durationSeconds: NotRequired[float]
    """As sent. The service sends the talk time; by specification it is the whole call."""
    timeToAnswerSeconds: NotRequired[float]
    """How long the agent took to answer."""
    conferenceSeconds: NotRequired[float]
    """The conference within the call; it may exceed the call."""
    holdSeconds: NotRequired[float]
    """As sent; its meaning is not documented."""
    wrapUpSeconds: NotRequired[float]
    """As sent; its meaning is not documented. Without it, `TotalWrapupTime` of the undocumented fields."""
    handleSeconds: NotRequired[float]
    """The agents’ time for the call: `TotalHandlingTime` of the undocumented fields. In real records it is talk and wrap-up."""
    customerNumber: NotRequired[str]
    """The customer’s telephone number."""
    customerNumberE164: NotRequired[str]
    """The same in E.164, where the text says it."""
    customerStatuses: NotRequired[list[Outcome]]
    """What happened on the customer’s side."""
    customerStatusesAsSent: NotRequired[list[str]]
    """The words as sent, where any is unknown or has a parameter."""
    dialledNumber: NotRequired[str]
    """The number connected to the customer."""
    dialledNumberE164: NotRequired[str]
    """The same in E.164, where the text says it."""
    dialStatuses: NotRequired[list[Outcome]]
    """The telephony responses."""
    dialStatusesAsSent: NotRequired[list[str]]
    """The words as sent, where any is unknown or has a parameter."""
    did: NotRequired[str]
    """The campaign’s predefined number through which the call came."""
    agentIds: NotRequired[list[str]]
    """The login ids of every agent of the call."""
    agentUniqueIds: NotRequired[list[str]]
    """Numbers given to the agents at creation."""
    agentNames: NotRequired[list[str]]
    """The agents’ names; there may be fewer than ids."""
    agentPhoneNumber: NotRequired[str]
    """The phone number of the log-in."""
    agentPhoneNumberE164: NotRequired[str]
    """The same in E.164, where the text says it."""
    agentStatuses: NotRequired[list[Outcome]]
    """What happened on the agents’ side."""
    agentStatusesAsSent: NotRequired[list[str]]
    """The words as sent, where any is unknown or has a parameter."""
    phoneName: NotRequired[str]
    """The name set for the agent’s number."""
    hangupBy: NotRequired[Literal["user", "agent", "system", "unknown"]]
    """Who ended the call."""
    hangupByAsSent: NotRequired[str]
    """The word as sent, where it is unknown or has a parameter."""
    campaignName: NotRequired[str]
    """The campaign through which it was routed."""
    campaignStatus: NotRequired[Literal["online", "offline", "unknown"]]
    """Whether the campaign was online."""
    campaignStatusAsSent: NotRequired[str]
    """The word as sent, where it is unknown or has a parameter."""
    skillName: NotRequired[str]
    """The skill through which it was routed."""
    location: NotRequired[str]
    """The location defined in the skill."""
    fallbackSteps: NotRequired[list[str]]
    """The campaign’s fallback rule for unanswered calls, in order."""
    transferTypes: NotRequired[list[Literal["agent", "skill", "phone-number", "no-transfer", "unknown"]]]
    """The kinds of target transferred to."""
    transferTypesAsSent: NotRequired[list[str]]
    """The words as sent, where any is unknown or has a parameter."""
    transferredTo: NotRequired[list[str]]
    """The targets: agents, skills or numbers."""
    dispositions: NotRequired[list[str]]
    """Set by the agents in after-call work."""
    comments: NotRequired[list[str]]
    """The agents’ comments."""
    recordings: NotRequired[list[str]]
    """URLs of the recordings, each once."""
    conferenceRecordings: NotRequired[list[str]]
    """URLs of the conference recordings, each once."""
    uui: NotRequired[str]
    """User-to-user call information, as sent."""
    linkedCallId: NotRequired[str]
    """The call that a skill transfer continues."""
    sourceCallId: NotRequired[str]
    """As sent. The service sends the call’s own id once more."""
    ucid: NotRequired[str]
    """As sent. The service sends the id of one leg of the call."""
    dataUniqueId: NotRequired[str]
    """As sent; its meaning is not documented."""
    extra: NotRequired[dict[str, Any]]
    """Undocumented fields, as text; a list or an object as JSON, in which numbers are texts."""
    notes: NotRequired[list[dict[str, Any]]]
    """Oddities of the values."""


class CallLeg(CallFacts):
    """One leg of a call that has several: it has a `ucid`."""


class CallSummary(CallFacts):
    """The call of an event."""

    legs: NotRequired[list[CallLeg]]
    """The legs, where several were named. The fields of the call are merged from all of them."""
    elapsedSeconds: NotRequired[float]
    """The time from start to end, where both are known."""


class CallEvent(TypedDict):
    """The `detail` of an event about a call."""

    schemaVersion: Literal[1]
    """The version of the detail’s schema."""
    id: str
    """The id of the event. A repeat has the same id."""
    account: str
    """The telephony account, by user name."""
    occurredAt: str
    """When the change happened."""
    recordedAt: str
    """When the change was written to the table."""
    replayedAt: NotRequired[str]
    """When an operator replayed the event; absent the first time."""
    shortenedFields: NotRequired[list[str]]
    """Fields that were truncated to fit the event; the row has them in full."""
    callId: str
    """The digits of the call’s id, as text: it may exceed 2^53."""
    source: NotRequired[Literal["report"]]
    """Present if no callback came so far, and the call was found in the service’s call report."""
    firstReceivedAt: NotRequired[str]
    """When the first delivery was received: present where the call does not count at its start, or else its end, and where it is more than a year older."""
    revision: int
    """The revision of the record, counted from 1."""
    changedFields: NotRequired[list[str]]
    """The fields that were added, removed or changed; `source` where the first callback came for a call of the report."""
    call: CallSummary


class StoredDelivery(TypedDict):
    """A distinct delivery about a call or participant."""

    id: str
    """A hash of its content."""
    receivedAt: str
    """When it was first received."""
    asSent: str
    """The JSON text of the record as it was sent, without keys: gzip in base64 (`base64 -d | gunzip`)."""
    source: NotRequired[Literal["report"]]
    """Present if it was read in the service’s call report."""
    day: NotRequired[str]
    """The day for which the report was asked, in the account’s zone, where the record itself has no plain date."""
    country: NotRequired[str]
    """The country of the account’s numbers, where the account named one."""
    postedIn: NotRequired[dict[str, Any]]
    """With [forwarding](forwarding.md), of a list or a post with a key beside `data`: the ids of the deliveries that were one post, what stood around them, and the field of the key."""
    keysAt: NotRequired[list[int]]
    """With forwarding, where the account’s key was not just in its own field: which of the `***` in `asSent`, counted from 0, were it."""
    formerId: NotRequired[str]
    """With forwarding, its id in `postedIn`, if `callfeed renormalise` has changed its id since."""
    erasedAt: NotRequired[str]
    """When a person was erased from it; `asSent` is then the word `erased`, compressed."""
    differences: NotRequired[dict[str, Any]]
    """The fields in which it differs from the row, by name; null where it had no value."""


class Call(CallSummary):
    """The row of a call."""

    account: str
    """The telephony account, by user name."""
    callId: str
    """The digits of the call’s id, as text: it may exceed 2^53."""
    revision: int
    """The revision of the record, counted from 1."""
    recordedAt: str
    """When the facts last changed in the table."""
    firstReceivedAt: str
    """When the first delivery was received."""
    lastReceivedAt: str
    """When the latest distinct delivery was first received."""
    lastChange: NotRequired[dict[str, Any]]
    """What the event of the latest revision says of its change, where that is not what the latest delivery changed."""
    replayedAt: NotRequired[str]
    """When an operator replayed the event; absent the first time."""
    deliveries: list[StoredDelivery]
    """Every distinct delivery, the first received first."""
    firstRecordedAt: NotRequired[str]
    """When the call was first written to the table, whatever its start. Without it, that was at `recordedAt` if `revision` is 1; of other rows, which are from before it was stored, it is not known."""
    source: NotRequired[Literal["report"]]
    """Present if no callback came so far, and the call was found in the service’s call report."""


class ListedCall(TypedDict):
    """A call in a list: some of the fields of its row."""

    account: str
    """The telephony account, by user name."""
    callId: str
    """The digits of the call’s id, as text: it may exceed 2^53."""
    revision: int
    """The revision of the record, counted from 1."""
    status: NotRequired[Literal["answered", "not-answered", "unknown"]]
    """Whether it was answered."""
    type: NotRequired[Literal["progressive", "inbound", "manual", "preview", "mail", "ivr", "chat", "predictive", "unknown"]]
    """The kind of call."""
    startedAt: NotRequired[str]
    """When it started."""
    endedAt: NotRequired[str]
    """When it ended."""
    timeZone: str
    """The IANA zone of the sender’s local times."""
    callDurationSeconds: NotRequired[float]
    """As sent. The service sends the time from start to end."""
    customerNumber: NotRequired[str]
    """The customer’s telephone number."""
    agentIds: NotRequired[list[str]]
    """The login ids of every agent of the call."""
    agentNames: NotRequired[list[str]]
    """The agents’ names; there may be fewer than ids."""
    skillName: NotRequired[str]
    """The skill through which it was routed."""
    campaignName: NotRequired[str]
    """The campaign through which it was routed."""
    dispositions: NotRequired[list[str]]
    """Set by the agents in after-call work."""
    hangupBy: NotRequired[Literal["user", "agent", "system", "unknown"]]
    """Who ended the call."""
    linkedCallId: NotRequired[str]
    """The call that a skill transfer continues."""
    listedAt: str
    """The position of the call in lists: its start, else its end, else `approximateAt`, else its first receipt. A start after the receipt gives way to an end before it, and after more than a week to the receipt."""
    firstRecordedAt: NotRequired[str]
    """When the call was first written to the table. Only in `byLateRecording`, and in the client’s lists by recording."""


class Participant(TypedDict):
    """What was sent about a participant in a call."""

    participantNumber: NotRequired[str]
    """As sent."""
    participantNumberE164: NotRequired[str]
    """The same in E.164, where the text says it."""
    agentName: NotRequired[str]
    """The agent’s name."""
    dialStatus: NotRequired[Outcome]
    """The telephony response."""
    dialStatusAsSent: NotRequired[str]
    """The word as sent, where it is unknown or has a parameter."""
    exitStatus: NotRequired[str]
    """As sent."""
    startedAt: NotRequired[str]
    """When the participation started."""
    pickedUpAt: NotRequired[str]
    """PickupTime as an instant."""
    endedAt: NotRequired[str]
    """When the participation ended; absent while it lasts."""
    timeZone: str
    """The IANA zone of the sender’s local times."""
    recordings: NotRequired[list[str]]
    """URLs of the recordings, each once."""
    did: NotRequired[str]
    """The number through which the call came."""
    sourceCallId: NotRequired[str]
    """As sent."""
    ucid: NotRequired[str]
    """As sent."""
    extra: NotRequired[dict[str, Any]]
    """Undocumented fields, as text; a list or an object as JSON, in which numbers are texts."""
    notes: NotRequired[list[dict[str, Any]]]
    """Oddities of the values."""
    elapsedSeconds: NotRequired[float]
    """The time from start to end, where both are known."""


class CallParticipant(Participant):
    """The row of a participant."""

    account: str
    """The telephony account, by user name."""
    callId: str
    """The digits of the call’s id, as text: it may exceed 2^53."""
    revision: int
    """The revision of the record, counted from 1."""
    recordedAt: str
    """When the facts last changed in the table."""
    firstReceivedAt: str
    """When the first delivery was received."""
    lastReceivedAt: str
    """When the latest distinct delivery was first received."""
    lastChange: NotRequired[dict[str, Any]]
    """What the event of the latest revision says of its change, where that is not what the latest delivery changed."""
    replayedAt: NotRequired[str]
    """When an operator replayed the event; absent the first time."""
    deliveries: list[StoredDelivery]
    """Every distinct delivery, the first received first."""
    participantId: str
    """The participant, unique within the call."""


class AgentNow(TypedDict):
    """The row of an agent who is logged in, as of the feed’s `asOf`."""

    account: str
    """The telephony account, by user name."""
    agentId: str
    """The login id, as in calls."""
    name: NotRequired[str]
    """The agent’s name."""
    phoneNumber: NotRequired[str]
    """The phone number of the log-in."""
    state: AgentState
    """What the agent is doing."""
    stateAsSent: NotRequired[str]
    """The state as sent; absent after the log-out."""
    skills: NotRequired[list[str]]
    """The skills in the order sent, each once."""
    extra: NotRequired[dict[str, Any]]
    """Undocumented fields, as sent with the latest change; no change by themselves."""
    since: str
    """When the agent entered this state."""
    loggedInSince: str
    """When the agent logged in."""
    version: int
    """Counts the changes of the agent since the log-in, from 1."""
    changedAt: str
    """When the poll of the latest change was sent."""
    recordedAt: str
    """When the latest change was written to the table."""


class FeedNow(TypedDict):
    """The row of the feed: how old the rows of agents are."""

    account: str
    """The telephony account, by user name."""
    status: Literal["starting", "live", "interrupted"]
    """Whether polls succeed; `starting` until the first answer."""
    statusSince: str
    """When this status began."""
    asOf: NotRequired[str]
    """For which instant the rows are true; absent until the first answer."""
    staleAt: NotRequired[str]
    """When the rows become stale."""
    agentCount: int
    """The number of logged-in agents."""
    counts: dict[str, Any]
    """The number in each state."""
    unreadableRecords: int
    """Unreadable records of the latest answer."""
    failingSince: NotRequired[str]
    """When polls began to fail; absent while they succeed."""
    lastProblem: NotRequired[dict[str, Any]]
    """Why and when a poll last failed."""
    version: int
    """Counts the writes of this row."""
    attemptedAt: NotRequired[str]
    """When the slot began in which the poller last tried to poll, with or without success."""
    pausedUntil: NotRequired[str]
    """Until when the poller tries nothing, because the service rejected a poll."""
    callbacksSilentSince: NotRequired[str]
    """Since when callbacks are missing. Agents have ended five calls since the latest one, the third of them at this instant, six minutes ago or more. Absent while callbacks come."""


class WaitingCaller(TypedDict):
    """Somebody who called in vain and still waits."""

    customerNumber: str
    """The number as it was sent with the last of these calls."""
    customerNumberE164: NotRequired[str]
    """The same in E.164, where it has that."""
    attempts: int
    """How many missed calls of this caller are open."""
    firstMissedAt: str
    """The `listedAt` of the first of them."""
    lastMissedAt: str
    """The `listedAt` of the last of them."""
    waitingSeconds: float
    """The time since the first of them."""
    skills: list[str]
    """Their skills."""
    callIds: list[str]
    """Their ids, the first call first."""

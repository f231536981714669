import { callsFaults } from './calls-faults.ts';
import { type FaultsByCheck, faultsIn, type SeededFault } from './try-fault.ts';

/** Faults that somebody planted and that every test passed then, each with the test that finds it now. */
const overlookedFaults: FaultsByCheck = {
  unit: {
    'earlier-slot-polled': {
      what: 'A machine whose clock is behind polls an earlier slot again.',
      file: 'functions/poll-agents/rate-limit.ts',
      find: 'slotOf(now) <= slot;',
      replace: 'slotOf(now) === slot;',
      test: 'test/functions/poll-agents/poll-status.test.ts',
    },
    'recorded-before-start': {
      what: 'Calls that were recorded minutes before their start are missing at the end of a range of recording.',
      file: 'lib/client/calls.ts',
      find: 'to: moved(range.to, beforeMs)',
      replace: 'to: range.to',
      test: 'test/lib/client/calls.test.ts',
    },
    'days-of-24-hours': {
      what: 'Midnights are 24 hours apart, also where the clocks change.',
      file: 'lib/core/time.ts',
      find: 'const midnight = startOfDay(date, zone);',
      replace:
        'const last = localDate(until, zone);\n    const midnight = new Date(Date.parse(startOfDay(last, zone)) - (Date.parse(last) - Date.parse(date))).toISOString();',
      test: 'test/lib/core/time.test.ts',
    },
    'typed-moment-offset': {
      what: 'A moment that is typed in the console has the offset of its zone at the same time in UTC.',
      file: 'cli/console/page/when.tsx',
      find: 'if (moment !== undefined) go(moment.at);',
      replace:
        "const near = Date.parse(typed + 'Z');\n    const shown = Date.parse(dayText(near, timeZone) + 'T' + timeText(near, timeZone) + 'Z');\n    if (moment !== undefined) go(new Date(near - (shown - near)).toISOString());",
      test: 'test/cli/console/browser.long.ts',
    },
    'empty-page-ends-scan': {
      what: 'The scan of quarantine ends at a page that its filter leaves empty.',
      file: 'cli/quarantine-entries.ts',
      find: 'yield Items.map(',
      replace: 'if (Items.length === 0) return;\n    yield Items.map(',
      test: 'test/cli/reading.test.ts',
    },
    'queue-key-forgotten': {
      what: 'Reconciliation may not use the customer’s key for its encrypted queue.',
      file: 'cdk/constructs/reconcile-calls.ts',
      find: "encryptedIn: ['dynamodb', 'secretsmanager', 'sqs']",
      replace: "encryptedIn: ['dynamodb', 'secretsmanager']",
      test: 'test/cdk/constructs/encryption-key.test.ts',
    },
    'region-of-reader': {
      what: 'A reader in another region may use the key in its own region, and not in that of the tables.',
      file: 'cdk/tables.ts',
      find: 'const { region } = Stack.of(this).splitArn(this.callsTableArn, ArnFormat.SLASH_RESOURCE_NAME);',
      replace: 'const { region } = Stack.of(this);\n    void ArnFormat;',
      test: 'test/cdk/tables.test.ts',
    },
    'failed-day-kept': {
      what: 'The console keeps a reading of a day that failed.',
      file: 'cli/console/kept-readings.ts',
      find: 'if (last?.problem !== undefined) last.untilMs = 0;',
      replace: '',
      test: 'test/cli/console/server.test.ts',
    },
    'limit-of-process': {
      what: 'Everything that forwarding queues aborts some seconds after its start.',
      file: 'functions/forward-deliveries/app.ts',
      find: 'const deadline = () => ({ abortSignal: AbortSignal.timeout(storeDeadlineMs) });',
      replace: 'const first = { abortSignal: AbortSignal.timeout(storeDeadlineMs) };\n  const deadline = () => first;',
      test: 'test/functions/deployed.test.ts',
    },
    'today-in-utc': {
      what: 'Commands show yesterday as today until 05:30 in Kolkata.',
      file: 'cli/reader.ts',
      find: 'localDate(now.toISOString(), timeZone)',
      replace: "localDate(now.toISOString(), 'UTC')",
      test: 'test/cli/days.test.ts',
    },
    'offered-by-agent': {
      what: 'A question counts an offered call once for each of its agents.',
      file: 'functions/transform-events/questions/staffing-by-hour.sql',
      find: '  FROM call_quarters',
      replace: '  FROM agent_call_quarters',
      test: 'test/analytics/questions.test.ts',
    },
    'replayed-twice': {
      what: 'A replay publishes a row again that was revised, and published, between its scan and its mark.',
      file: 'cli/replay-rows.ts',
      find: "revision === undefined ? 'attribute_exists(pk)' : 'revision = :revision'",
      replace: "revision === undefined ? 'attribute_exists(pk)' : ':revision = :revision'",
      test: 'test/cli/meanwhile.test.ts',
    },
    'late-post-deduplicated': {
      what: 'A FIFO queue takes a late post that follows again for the one of before.',
      file: 'functions/forward-deliveries/app.ts',
      find: 'MessageDeduplicationId: contentHash(message)',
      replace: 'MessageDeduplicationId: contentHash({ ...message, behind: undefined })',
      test: 'test/functions/forward-deliveries/forward-delivery.test.ts',
    },
    'retention-ignored': {
      what: 'Reconciliation retains calls for other days than the stack says.',
      file: 'functions/reconcile-calls/app.ts',
      find: 'retentionDays: env.CALL_RETENTION_DAYS',
      replace: 'retentionDays: 90',
      test: 'test/functions/settings.test.ts',
    },
  },
};

/** Faults of the poller, in reading what is sent, and in tests: one of them makes tests test nothing. */
const otherFaults: FaultsByCheck = {
  crash: {
    'limit-in-memory': {
      what: 'The process remembers earlier requests, the table does not.',
      file: 'functions/poll-agents/agent-store.ts',
      find: ': pollStatusOf(statusRow) };',
      replace: ': { ...pollStatusOf(statusRow), poller: { ...pollStatusOf(statusRow).poller, requests: [] } } };',
    },
    'request-before-slot': {
      what: 'The poller asks the service before it has acquired the slot.',
      file: 'functions/poll-agents/poll-slot.ts',
      find: "const reserved = await writePollEvent(run, due.value, { kind: 'requested', poller: slot.value });",
      replace: 'const reserved = ok(withPoller(due.value, () => slot.value));',
    },
    'token-not-counted': {
      what: 'A token request is not recorded in the table.',
      file: 'lib/service/token-cache.ts',
      find: "if ((await table.write(tokenRow(requested, requestedAt))) === 'conflict') return fail({ reason: 'no-token' });",
      replace: '',
    },
  },
  schedules: {
    'interval-left-open': {
      what: 'An agent’s last interval stays open after the log-out.',
      file: 'lib/agents/diff-agents.ts',
      find: 'after, timeline: closedIntervals(before, moment) };',
      replace: 'after, timeline: [] };',
    },
    'failure-logs-out-agents': {
      what: 'A failed poll counts as an answer without agents.',
      file: 'lib/agents/get-agent-logins.ts',
      find: '  if (!answer.ok) return answer;',
      replace: '  if (!answer.ok) return { ok: true, value: { agents: [], unreadable: [] } };',
    },
    'details-unpublished': {
      what: 'A name, number or skill that changes together with the state is not published.',
      file: 'lib/publish/events-of-change.ts',
      find: '...(changed.length === 0 ?',
      replace: '...(changed.length === 0 || earlier.since !== agent.since ?',
    },
  },
  fuzz: {
    'no-depth-limit': {
      what: 'The depth of JSON is not limited.',
      file: 'lib/core/json.ts',
      find: "  if (depthLeft === 0) return 'too-deep';\n",
      replace: '',
    },
    'key-in-own-field-only': {
      what: 'An API key is redacted in its own field only.',
      file: 'lib/accounts/redact-secrets.ts',
      find: '.filter(({ length }) => length >= minStrayKeyLength)',
      replace: '.filter(() => false)',
    },
    'digits-rounded': {
      what: 'Numbers lose digits as they do in JavaScript.',
      file: 'lib/core/json.ts',
      find: 'tryParseJson(text, inexactNumber.test(text) ? asSent : undefined)',
      replace: 'tryParseJson(text)',
    },
    'bodies-retained': {
      what: 'A module retains every body.',
      file: 'functions/receive-callback/http.ts',
      find: '  const contentType = contentTypeOf(event);\n',
      replace:
        '  const contentType = contentTypeOf(event);\n  ((globalThis as { bodies?: unknown[] }).bodies ??= []).push(event.body);\n',
    },
    'surrogate-fails': {
      what: 'A lone surrogate causes an error.',
      file: 'lib/telephony/posted-fields.ts',
      find: 'textOfJson(value)?.toWellFormed()',
      replace: "(encodeURIComponent(textOfJson(value) ?? ''), textOfJson(value)?.toWellFormed())",
    },
    'slow-expression': {
      what: 'A regular expression takes time that grows with the square of the text’s length.',
      file: 'lib/telephony/field-kinds.ts',
      find: '  if (sent === undefined) return;',
      replace: '  if (sent === undefined) return;\n  if (/x+y/.test(sent)) sent.trim();',
    },
    'unknown-sender-by-name': {
      what: 'A user name without a key authenticates, even without the secret address.',
      file: 'lib/callback/authenticate-sender.ts',
      find: 'if (keys.length === 0 && !hasValidSecret)',
      replace: 'if (keys.length === 0 && users.length === 0 && !hasValidSecret)',
    },
  },
  mutation: {
    'tests-skipped': {
      what: 'The tests of truncated events are skipped.',
      file: 'test/lib/publish/project-event.test.ts',
      find: "import { describe, expect, it } from 'vitest';",
      replace: "import { describe as all, expect, it } from 'vitest';\n\nconst describe = all.skip;",
      mutated: 'lib/publish/project-event.ts',
    },
  },
};

const reconciliation = 'test/functions/reconcile-calls/reconcile-calls.test.ts';

/** What each path to a row reads by the settings of its account. */
const readingRules = 'test/lib/callback/normalise-records.test.ts';

/** Faults of the reconciliation with the call report. */
const reportFaults: FaultsByCheck = {
  unit: {
    'report-limit-in-memory': {
      what: 'The process remembers earlier requests for the report, the table does not.',
      file: 'functions/reconcile-calls/reconciliation.ts',
      find: ': readRow(Reconciliation, row);',
      replace: ': { ...readRow(Reconciliation, row), requests: [] };',
      test: reconciliation,
    },
    'leg-taken-for-call': {
      what: 'The id of a leg names a call of the report.',
      file: 'functions/reconcile-calls/reported-fields.ts',
      find: "callid: 'monitorUCID',",
      replace: "ucid: 'monitorUCID',",
      test: reconciliation,
    },
    'report-forgotten-again': {
      what: 'The command `renormalise` forgets that a delivery came from the call report.',
      file: 'cli/operate/renormalise.ts',
      find: 'deliveryOf(facts, { ...delivery, country',
      replace: 'deliveryOf(facts, { ...delivery, source: undefined, country',
      test: readingRules,
    },
    'report-without-words': {
      what: 'Words that were added to an account are not applied to the call report.',
      file: 'functions/reconcile-calls/store-report.ts',
      find: 'readReported(fields, account, askedDay)',
      replace: 'readReported(fields, { timeZone: account.timeZone }, askedDay)',
      test: readingRules,
    },
    'found-told-twice': {
      what: 'Each leg of a found call is stored by itself, so the call is told of again.',
      file: 'functions/reconcile-calls/store-report.ts',
      find: '({ key }) => rowKey(key).pk)',
      replace: '({ delivery }) => delivery.id)',
      test: reconciliation,
    },
  },
};

const plausible = 'test/lib/calls/plausible-facts.test.ts';
const clockChanges = 'test/lib/calls/normalise-call.test.ts';

/** Faults of times and durations. */
const timeFaults: FaultsByCheck = {
  unit: {
    'never-set-believed': {
      what: 'A time that was never set believes itself.',
      file: 'lib/calls/plausible-facts.ts',
      find: 'one.field !== field && ',
      replace: '',
      test: plausible,
    },
    'judged-by-another-call': {
      what: 'A duration is judged by a CallDuration that is absurd itself.',
      file: 'lib/calls/plausible-facts.ts',
      find: "isWithin(longest, 'callDurationSeconds') ?",
      replace: "facts['callDurationSeconds'] ?",
      test: plausible,
    },
    'imports-fill-the-history': {
      what: 'Calls that are imported lie on days of their own in the history.',
      file: 'functions/transform-events/call-revisions.ts',
      find: 'firstReceivedAt !== undefined && isImported(at, firstReceivedAt)',
      replace: 'firstReceivedAt !== undefined && at > firstReceivedAt',
      test: plausible,
    },
    'duration-ignored': {
      what: 'Where clocks go back, the first readings that are in order count, whatever CallDuration says.',
      file: 'lib/calls/normalise-facts.ts',
      find: 'all.find(isAsLong) ?? ',
      replace: '',
      test: clockChanges,
    },
    'dated-in-utc': {
      what: 'A call of the report without a time counts at the beginning of its day in UTC.',
      file: 'functions/reconcile-calls/store-report.ts',
      find: 'instantOf(near, rules.timeZone)',
      replace: "instantOf(near, 'UTC')",
      test: reconciliation,
    },
  },
};

const forwarding = 'test/functions/forward-deliveries/forward-delivery.test.ts';

/** Faults of forwarding to other receivers. */
const forwardingFaults: FaultsByCheck = {
  unit: {
    'erased-forwarded': {
      what: 'What is left of a delivery after a person was erased is forwarded.',
      file: 'functions/forward-deliveries/stored-post.ts',
      find: 'found.some(({ erasedAt }) => erasedAt !== undefined)',
      replace: 'found.length > ids.length',
      test: forwarding,
    },
    'report-forwarded': {
      what: 'What the call report has added is forwarded, though the service never posted it.',
      file: 'functions/forward-deliveries/stored-post.ts',
      find: 'filter(({ source }) => source === undefined)',
      replace: 'filter(({ source }) => source ?? true)',
      test: forwarding,
    },
    'list-in-part': {
      what: 'A list is forwarded without its parked records.',
      file: 'functions/forward-deliveries/forward-delivery.ts',
      find: '!stored.isWhole && attempt < attemptsForRecords',
      replace: '!stored.isWhole && attempt < 0',
      test: forwarding,
    },
    'address-too-new': {
      what: 'A process whose accounts are older than an address gives its deliveries up.',
      file: 'functions/forward-deliveries/forward-delivery.ts',
      find: 'if (attempt < attemptsForAddress) return false;',
      replace: '',
      test: forwarding,
    },
    'group-in-one-call': {
      what: 'Two messages of a call share a batch, of which the queue may accept only the second.',
      file: 'functions/forward-deliveries/app.ts',
      find: 'messageGroup(message) !== messageGroup(next.message)',
      replace: 'message !== next.message',
      test: 'test/functions/forward-deliveries/app.test.ts',
    },
    'redirect-is-accepted': {
      what: 'A redirect counts as accepted.',
      file: 'functions/forward-deliveries/app.ts',
      find: 'status >= 200 && status < 300',
      replace: 'status >= 200 && status < 400',
      test: 'test/functions/forward-deliveries/app.test.ts',
    },
  },
};

export const seededFaults: readonly SeededFault[] = [
  ...faultsIn(callsFaults),
  ...faultsIn(otherFaults),
  ...faultsIn(reportFaults),
  ...faultsIn(timeFaults),
  ...faultsIn(forwardingFaults),
  ...faultsIn(overlookedFaults),
];

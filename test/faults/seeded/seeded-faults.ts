const crash = 'test/faults/crash/crash.long.ts';
const calls = 'test/faults/schedules/calls/calls.long.ts';
const agents = 'test/faults/schedules/agents/agents.long.ts';
const posts = 'test/faults/fuzz/posts.test.ts';
const time = 'test/faults/fuzz/processor-time.long.ts';
const memory = 'test/faults/fuzz/memory.long.ts';
const endurance = 'test/faults/endurance/endurance.long.ts';

/** A mistake that somebody could make. It is put into a copy of the project, to prove that a check finds it. */
export interface SeededFault {
  readonly name: string;
  /** What the fault makes the project do. */
  readonly what: string;
  /** The test that has to find it. */
  readonly test: string;
  readonly file: string;
  /** Occurs in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

export const seededFaults: readonly SeededFault[] = [
  {
    name: 'acknowledged-unparked',
    what: 'The receiver answers 200 although neither the table nor the queue has the call.',
    test: crash,
    file: 'lib/callback/store-or-park.ts',
    find: "    return fail('stores-unavailable');",
    replace: '',
  },
  {
    name: 'recovery-deletes-failed',
    what: 'Recovery deletes messages that it could not store.',
    test: crash,
    file: 'functions/recover-callbacks/app.ts',
    find: '        failed.push(id);',
    replace: '',
  },
  {
    name: 'publish-failure-ignored',
    what: 'The publisher reports success for an event that the bus rejected.',
    test: crash,
    file: 'functions/publish-changes/publish-changes.ts',
    find: '      if (failed !== undefined) return failed.sequence;',
    replace: '',
  },
  {
    name: 'limit-in-memory',
    what: 'The process remembers earlier requests, the table does not.',
    test: crash,
    file: 'functions/poll-agents/agent-store.ts',
    find: ': pollStatusOf(statusRow) };',
    replace: ': { ...pollStatusOf(statusRow), poller: { ...pollStatusOf(statusRow).poller, requests: [] } } };',
  },
  {
    name: 'token-not-counted',
    what: 'A token request is not recorded in the table.',
    test: crash,
    file: 'lib/service/token-cache.ts',
    find: "if ((await table.write(tokenRow(requested, requestedAt))) === 'conflict') return fail({ reason: 'no-token' });",
    replace: '',
  },
  {
    name: 'failed-entries-ignored',
    what: 'PutEvents succeeds as a call, so all its entries count as published.',
    test: calls,
    file: 'functions/publish-changes/app.ts',
    find: 'events.map((_, index) => Entries[index]?.EventId !== undefined && Entries[index].ErrorCode === undefined)',
    replace: 'events.map(() => Entries.length > 0)',
  },
  {
    name: 'order-lost',
    what: 'Two events of one call share a request, so the bus may accept only the second.',
    test: calls,
    file: 'functions/publish-changes/publish-changes.ts',
    find: '  call.every(({ key }) => key !== next.key) &&\n',
    replace: '',
  },
  {
    name: 'last-arrival-wins',
    what: 'The last delivery wins, however little it contains.',
    test: calls,
    file: 'lib/calls/call-record.ts',
    find: 'const facts = mergedFacts(stored.key, deliveries);',
    replace: 'const facts = { ...stored.facts, ...deliveries.at(-1)?.facts };',
  },
  {
    name: 'unconditional-write',
    what: 'A revised row overwrites the row without a version check.',
    test: calls,
    file: 'functions/adapters/dynamo-versioned-rows.ts',
    find: "{ ConditionExpression: 'version = :version', ExpressionAttributeValues: marshalled({ ':version': version }) }",
    replace: '{}',
  },
  {
    name: 'receipt-at-recovery',
    what: 'A parked delivery gets the time of its recovery as time of receipt.',
    test: calls,
    file: 'lib/calls/record-delivery.ts',
    find: 'applyDeliveries(key, stored, [delivery], recordedAt',
    replace: 'applyDeliveries(key, stored, [{ ...delivery, receivedAt: recordedAt() }], recordedAt',
  },
  {
    name: 'interval-left-open',
    what: 'An agent’s last interval stays open after the log-out.',
    test: agents,
    file: 'lib/agents/diff-agents.ts',
    find: 'after, timeline: closedIntervals(before, moment) };',
    replace: 'after, timeline: [] };',
  },
  {
    name: 'details-unpublished',
    what: 'A name, number or skill that changes together with the state is not published.',
    test: agents,
    file: 'lib/publish/events-of-change.ts',
    find: '...(changed.length === 0 ?',
    replace: '...(changed.length === 0 || earlier.since !== agent.since ?',
  },
  {
    name: 'failure-logs-out-agents',
    what: 'A failed poll counts as an answer without agents.',
    test: agents,
    file: 'lib/agents/get-agent-logins.ts',
    find: '  if (!answer.ok) return answer;',
    replace: '  if (!answer.ok) return { ok: true, value: { agents: [], unreadable: [] } };',
  },
  {
    name: 'key-in-own-field-only',
    what: 'An API key is redacted in its own field only.',
    test: posts,
    file: 'lib/accounts/find-keys.ts',
    find: '.filter(({ length }) => length >= minStrayKeyLength)',
    replace: '.filter(() => false)',
  },
  {
    name: 'digits-rounded',
    what: 'Numbers lose digits as they do in JavaScript.',
    test: posts,
    file: 'lib/core/json.ts',
    find: ': tryParseJson(replaceTokens(text, stringOrNumber, quoted))',
    replace: ': value',
  },
  {
    name: 'slow-expression',
    what: 'A regular expression takes the square of the length of a text.',
    test: time,
    file: 'lib/telephony/posted-fields.ts',
    find: 'const trimmed = text?.trim();',
    replace: "const trimmed = text?.trim().replace(/(?:no )+file$/i, '');",
  },
  {
    name: 'fields-decoded-first',
    what: 'The fields of a form are decoded before they are counted.',
    test: time,
    file: 'functions/receive-callback/decode-body.ts',
    find: 'hasTooManyFields(form) ?',
    replace: 'hasTooManyFields(formText(sent, form)) ?',
  },
  {
    name: 'requests-retained',
    what: 'A module retains every request.',
    test: memory,
    file: 'functions/receive-callback/http.ts',
    find: '      const { event } = request;\n',
    replace:
      '      const { event } = request;\n      ((globalThis as { kept?: unknown[] }).kept ??= []).push(event);\n',
  },
  {
    name: 'reply-before-write',
    what: 'The receiver answers before the call is written.',
    test: endurance,
    file: 'lib/calls/record-delivery.ts',
    find: '  return rows.putNextVersion(row, { puts: agentEntriesOf(record, row), removes }, signal);\n',
    replace:
      "  rows.putNextVersion(row, { puts: agentEntriesOf(record, row), removes }, signal).catch(() => undefined);\n  return Promise.resolve({ kind: 'written' });\n",
  },
  {
    name: 'memory-leak',
    what: 'Every post leaves memory that is never freed.',
    test: endurance,
    file: 'functions/receive-callback/receive-callback.ts',
    find: '    const receivedAt = ports.clock().toISOString();',
    replace:
      '    const receivedAt = ports.clock().toISOString();\n    (ports as { kept?: unknown[] }).kept = [...((ports as { kept?: unknown[] }).kept ?? []), Array(100_000).fill(receivedAt)];',
  },
];

/** The text with the fault in it. Throws unless there is one place for it. */
export const withFault = (text: string, { name, file, find, replace }: SeededFault): string => {
  const parts = text.split(find);
  if (parts.length === 2) return parts.join(replace);
  throw new Error(`The text that “${name}” replaces occurs ${parts.length - 1} times in ${file}. It must occur once.`);
};

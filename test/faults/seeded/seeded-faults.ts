import { callsFaults } from './calls-faults.ts';
import type { SeededFault } from './seeded-fault.ts';

/** Faults of the poller: the limit, the floor, the timelines. */
const agentsFaults: readonly SeededFault[] = [
  {
    name: 'limit-in-memory',
    what: 'Earlier requests are remembered by the process, not by the table.',
    check: 'crash',
    file: 'lib/agents/read-agents.ts',
    find: 'feed === undefined ? newFeed(account, ports.clock()) : feedOf(feed),\n    agents',
    replace:
      'feed === undefined ? newFeed(account, ports.clock()) : { ...feedOf(feed), poller: { ...feedOf(feed).poller, requests: [] } },\n    agents',
  },
  {
    name: 'stretch-left-open',
    what: 'The last stretch of who logs out is not closed.',
    check: 'schedules',
    file: 'lib/agents/diff-agents.ts',
    find: 'after, timeline: closedIntervals(before, moment) };',
    replace: 'after, timeline: [] };',
  },
  {
    name: 'failure-empties-floor',
    what: 'A failed poll is taken for an empty floor.',
    check: 'schedules',
    file: 'lib/agents/get-agent-logins.ts',
    find: '  if (!answer.ok) return answer;',
    replace: '  if (!answer.ok) return { ok: true, value: { agents: [], unreadable: [] } };',
  },
  {
    name: 'asked-without-claim',
    what: 'The service is asked before the claim of the slot is written.',
    check: 'crash',
    file: 'lib/agents/acquire-slot.ts',
    find: "const isWritten = await writeFeed(run, reserved.value);\n  return isWritten ? { kind: 'acquired', known: { ...current, feed: reserved.value } } : conflict;",
    replace:
      "return { kind: 'acquired', known: { ...current, feed: { ...reserved.value, version: current.feed.version } } };",
  },
  {
    name: 'token-not-counted',
    what: 'A token is asked for without a note of it in the table.',
    check: 'crash',
    file: 'lib/agents/token-cache.ts',
    find: "if ((await table.write(tokenRow(requested, requestedAt))) === 'conflict') return fail({ reason: 'no-token' });",
    replace: '',
  },
  {
    name: 'details-untold',
    what: 'A name, number or skill that changes with the state is not told of.',
    check: 'schedules',
    file: 'lib/publish/agent-events.ts',
    find: '...(changed.length === 0 ?',
    replace: '...(changed.length === 0 || known.since !== agent.since ?',
  },
];

/** Faults in reading what strangers and the service send. */
const inputFaults: readonly SeededFault[] = [
  {
    name: 'no-depth-limit',
    what: 'JSON may be nested as deeply as it likes.',
    check: 'hostile',
    file: 'lib/core/parse-json.ts',
    find: "  if (depthLeft === 0) return 'too-deep';\n",
    replace: '',
  },
  {
    name: 'key-in-own-field-only',
    what: 'A key is masked in its own field, and nowhere else.',
    check: 'hostile',
    file: 'lib/accounts/redact-secrets.ts',
    find: 'keys.filter(({ length }) => length >= minStrayKeyLength),',
    replace: '[],',
  },
  {
    name: 'digits-rounded',
    what: 'Numbers are read as JavaScript reads them.',
    check: 'hostile',
    file: 'lib/core/parse-json.ts',
    find: 'const value = inexactNumber.test(text) ? withQuotedNumbers(text) : sent;',
    replace: 'const value = sent;',
  },
  {
    name: 'bodies-kept',
    what: 'Every body is kept in the module.',
    check: 'hostile',
    file: 'functions/receive-callback/http.ts',
    find: '): RejectionReason | undefined => {\n',
    replace:
      '): RejectionReason | undefined => {\n  ((globalThis as { bodies?: unknown[] }).bodies ??= []).push(event.body);\n',
  },
  {
    name: 'surrogate-fails',
    what: 'A lone surrogate, which is no character, makes an error.',
    check: 'hostile',
    file: 'lib/telephony/fold-keys.ts',
    find: 'textOfJson(value)?.toWellFormed()',
    replace: "(encodeURIComponent(textOfJson(value) ?? ''), textOfJson(value)?.toWellFormed())",
  },
  {
    name: 'slow-expression',
    what: 'A regular expression takes the square of the length of a text.',
    check: 'hostile',
    file: 'lib/telephony/field-reader.ts',
    find: '    if (value === undefined) return undefined;',
    replace: '    if (value === undefined) return undefined;\n    if (/x+y/.test(value)) return value;',
  },
  {
    name: 'stranger-by-name',
    what: 'Who names no key is believed by a user name, without the secret address too.',
    check: 'hostile',
    file: 'lib/callback/authenticate-sender.ts',
    find: 'if (keys.length === 0 && !hasValidSecret)',
    replace: 'if (keys.length === 0 && users.length === 0 && !hasValidSecret)',
  },
];

/** Tests that do not test, for the mutation test to find. */
const testsFaults: readonly SeededFault[] = [
  {
    name: 'tests-left-out',
    what: 'The tests of what is shortened are skipped.',
    check: 'mutation',
    file: 'test/lib/publish/project-event.test.ts',
    find: "import { describe, expect, it } from 'vitest';",
    replace: "import { describe as all, expect, it } from 'vitest';\n\nconst describe = all.skip;",
    mutated: 'lib/publish/project-event.ts',
  },
];

/** Every planted fault. */
export const seededFaults: readonly SeededFault[] = [...callsFaults, ...agentsFaults, ...inputFaults, ...testsFaults];

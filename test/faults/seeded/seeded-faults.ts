import { awsFaults, callsFaults } from './calls-faults.ts';
import type { SeededFault } from './seeded-fault.ts';

/** Faults of the poller: its rate limit, the agents’ rows and their timelines. */
const agentsFaults: readonly SeededFault[] = [
  {
    name: 'limit-in-memory',
    what: 'The process remembers earlier requests, the table does not.',
    check: 'crash',
    file: 'lib/agents/read-agents.ts',
    find: 'feed === undefined ? newFeed(account, ports.clock()) : feedOf(feed),\n    agents',
    replace:
      'feed === undefined ? newFeed(account, ports.clock()) : { ...feedOf(feed), poller: { ...feedOf(feed).poller, requests: [] } },\n    agents',
  },
  {
    name: 'interval-left-open',
    what: 'An agent’s last interval stays open after the log-out.',
    check: 'schedules',
    file: 'lib/agents/diff-agents.ts',
    find: 'after, timeline: closedIntervals(before, moment) };',
    replace: 'after, timeline: [] };',
  },
  {
    name: 'failure-logs-out-agents',
    what: 'A failed poll counts as an answer without agents.',
    check: 'schedules',
    file: 'lib/agents/get-agent-logins.ts',
    find: '  if (!answer.ok) return answer;',
    replace: '  if (!answer.ok) return { ok: true, value: { agents: [], unreadable: [] } };',
  },
  {
    name: 'request-before-slot',
    what: 'The poller asks the service before it has acquired the slot.',
    check: 'crash',
    file: 'lib/agents/acquire-slot.ts',
    find: "const isWritten = await writeFeed(run, reserved.value);\n  return isWritten ? { kind: 'acquired', known: { ...current, feed: reserved.value } } : conflict;",
    replace:
      "return { kind: 'acquired', known: { ...current, feed: { ...reserved.value, version: current.feed.version } } };",
  },
  {
    name: 'token-not-counted',
    what: 'A token request is not recorded in the table.',
    check: 'crash',
    file: 'lib/agents/token-cache.ts',
    find: "if ((await table.write(tokenRow(requested, requestedAt))) === 'conflict') return fail({ reason: 'no-token' });",
    replace: '',
  },
  {
    name: 'details-unpublished',
    what: 'A name, number or skill that changes together with the state is not published.',
    check: 'schedules',
    file: 'lib/publish/agent-events.ts',
    find: '...(changed.length === 0 ?',
    replace: '...(changed.length === 0 || earlier.since !== agent.since ?',
  },
];

/** Faults in reading what unknown senders and the service send. */
const inputFaults: readonly SeededFault[] = [
  {
    name: 'no-depth-limit',
    what: 'The depth of JSON is not limited.',
    check: 'fuzz',
    file: 'lib/core/json.ts',
    find: "  if (depthLeft === 0) return 'too-deep';\n",
    replace: '',
  },
  {
    name: 'key-in-own-field-only',
    what: 'An API key is redacted in its own field only.',
    check: 'fuzz',
    file: 'lib/accounts/redact-secrets.ts',
    find: 'keys.filter(({ length }) => length >= minStrayKeyLength),',
    replace: '[],',
  },
  {
    name: 'digits-rounded',
    what: 'Numbers lose digits as they do in JavaScript.',
    check: 'fuzz',
    file: 'lib/core/json.ts',
    find: 'const value = inexactNumber.test(text) ? withQuotedNumbers(text) : sent;',
    replace: 'const value = sent;',
  },
  {
    name: 'bodies-retained',
    what: 'A module retains every body.',
    check: 'fuzz',
    file: 'functions/receive-callback/http.ts',
    find: '): RejectionReason | undefined => {\n',
    replace:
      '): RejectionReason | undefined => {\n  ((globalThis as { bodies?: unknown[] }).bodies ??= []).push(event.body);\n',
  },
  {
    name: 'surrogate-fails',
    what: 'A lone surrogate causes an error.',
    check: 'fuzz',
    file: 'lib/telephony/fold-keys.ts',
    find: 'textOfJson(value)?.toWellFormed()',
    replace: "(encodeURIComponent(textOfJson(value) ?? ''), textOfJson(value)?.toWellFormed())",
  },
  {
    name: 'slow-expression',
    what: 'A regular expression takes time that grows with the square of the text’s length.',
    check: 'fuzz',
    file: 'lib/telephony/field-reader.ts',
    find: '    if (value === undefined) return undefined;',
    replace: '    if (value === undefined) return undefined;\n    if (/x+y/.test(value)) return value;',
  },
  {
    name: 'unknown-sender-by-name',
    what: 'A user name without a key authenticates, even without the secret address.',
    check: 'fuzz',
    file: 'lib/callback/authenticate-sender.ts',
    find: 'if (keys.length === 0 && !hasValidSecret)',
    replace: 'if (keys.length === 0 && users.length === 0 && !hasValidSecret)',
  },
];

/** Tests that test nothing, for the mutation test to find. */
const testsFaults: readonly SeededFault[] = [
  {
    name: 'tests-skipped',
    what: 'The tests of truncated events are skipped.',
    check: 'mutation',
    file: 'test/lib/publish/project-event.test.ts',
    find: "import { describe, expect, it } from 'vitest';",
    replace: "import { describe as all, expect, it } from 'vitest';\n\nconst describe = all.skip;",
    mutated: 'lib/publish/project-event.ts',
  },
];

export const seededFaults: readonly SeededFault[] = [
  ...callsFaults,
  ...agentsFaults,
  ...inputFaults,
  ...awsFaults,
  ...testsFaults,
];

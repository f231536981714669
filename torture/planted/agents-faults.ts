import type { PlantedFault } from './planted-fault.ts';

/** Faults of the poller: the limit, the floor, the timelines. */
export const agentsFaults: readonly PlantedFault[] = [
  {
    name: 'limit-in-memory',
    what: 'Earlier requests are remembered by the process, not by the table.',
    check: 'crash',
    file: 'lib/floor/floor.ts',
    find: 'feed === undefined ? newFeed(account, ports.clock()) : feedOf(feed),\n    agents',
    replace:
      'feed === undefined ? newFeed(account, ports.clock()) : { ...feedOf(feed), poller: { ...feedOf(feed).poller, requests: [] } },\n    agents',
  },
  {
    name: 'stretch-left-open',
    what: 'The last stretch of who logs out is not closed.',
    check: 'schedules',
    file: 'lib/floor/step.ts',
    find: 'after, timeline: stretches(before, moment) };',
    replace: 'after, timeline: [] };',
  },
  {
    name: 'failure-empties-floor',
    what: 'A failed poll is taken for an empty floor.',
    check: 'schedules',
    file: 'lib/poll/ask.ts',
    find: '  if (!answer.ok) return answer;',
    replace: '  if (!answer.ok) return { ok: true, value: { agents: [], unreadable: [] } };',
  },
  {
    name: 'asked-without-claim',
    what: 'The service is asked before the claim of the slot is written.',
    check: 'crash',
    file: 'lib/poll/claim-slot.ts',
    find: "const isMine = await writeFeed(run, claimed.value);\n  return isMine ? { kind: 'mine', floor: { ...told, feed: claimed.value } } : overtaken;",
    replace: "return { kind: 'mine', floor: { ...told, feed: { ...claimed.value, version: told.feed.version } } };",
  },
  {
    name: 'token-not-counted',
    what: 'A token is asked for without a note of it in the table.',
    check: 'crash',
    file: 'lib/token/bearer-tokens.ts',
    find: "if ((await table.write(tokenRow(noted, askedAt))) === 'overtaken') return fail({ reason: 'no-token' });",
    replace: '',
  },
  {
    name: 'details-untold',
    what: 'A name, number or skill that changes with the state is not told of.',
    check: 'schedules',
    file: 'lib/publish/agent-events-of.ts',
    find: '...(changed.length === 0 ?',
    replace: '...(changed.length === 0 || known.since !== agent.since ?',
  },
];

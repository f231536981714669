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
];

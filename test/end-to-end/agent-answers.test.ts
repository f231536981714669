import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { PollProblem } from '../../lib/telephony/service/service.ts';
import { type AnswerKind, answerKinds } from '../../sandbox/simulator/service/answer-quirks.ts';
import { agentsReader, partition } from '../support/agents-reader.ts';
import { startTestTables, type TestTables } from '../support/dynamodb-local.ts';
import { startHttpServer } from '../support/local-servers.ts';
import { startCentre } from '../support/polled-centre.ts';
import { type PublishedAgentEvents, publishedAgentEvents } from '../support/published-agent-events.ts';

const member = (agentId: string, name: string, state: string, skills: string[]) => ({
  action: 'log-in' as const,
  agentId,
  name,
  state,
  skills,
  phoneNumber: `09000000${name.length}`,
});

const team = [
  member('asha', 'Asha Rao', 'READY', ['Sales', 'Support']),
  member('meera', 'Meera Iyer', 'Idle', ['Support']),
  member('ravi', 'Ravi Nair', 'ACW', []),
];
const teamStates = { asha: 'ready', meera: 'idle', ravi: 'acw' };

let tables: TestTables;
let published: PublishedAgentEvents;
beforeAll(async () => {
  tables = await startTestTables();
  published = await publishedAgentEvents(tables);
});
afterAll(async () => {
  published.stop();
  await tables.stop();
});

/** A polled account of its own, with three agents. */
const polledTeam = async (userName: string) => {
  const centre = await startCentre(tables, { userName });
  onTestFinished(centre.stop);
  const reader = agentsReader(tables.client, tables.tableNames.agents);
  centre.script(...team);
  await centre.poll();
  return {
    ...centre,
    /** The agents' rows, the state of each, and the row of the poll status. */
    async floor() {
      const { rows } = await reader.query(partition(userName));
      const agents = rows.filter(({ kind }) => kind === 'agent');
      const states = Object.fromEntries(agents.map(({ agentId, state }) => [agentId, state]));
      return { agents, states, feed: rows.find(({ kind }) => kind === 'feed') };
    },
    /** The events since they logged in. */
    events: async () => (await published.events(userName)).slice(team.length),
  };
};

const loggedOut = team.map(() => 'Agent Logged Out');

/** The effect of an answer: a problem, which changes no agent, or other states than before. */
interface Expected {
  readonly reason?: PollProblem;
  /** The problem may be brief, so there is a second request in the same slot. */
  readonly isRetried?: true;
  readonly states?: Readonly<Record<string, string>>;
  readonly eventTypes?: readonly string[];
  readonly unreadableRecords?: number;
}

const expectations: Readonly<Record<AnswerKind, Expected>> = {
  'rate-limit-text': { reason: 'rate-limited' },
  'invalid-text': { reason: 'unauthorised' },
  '401-status-false': { reason: 'unauthorised' },
  '429': { reason: 'rate-limited' },
  '405-no-json': { reason: 'http-error', isRetried: true },
  '500': { reason: 'http-error', isRetried: true },
  html: { reason: 'not-json', isRetried: true },
  'truncated-json': { reason: 'not-json', isRetried: true },
  redirect: { reason: 'redirect' },
  huge: { reason: 'too-large' },
  slow: { reason: 'timeout', isRetried: true },
  'message-object': {},
  'message-by-index': {},
  'message-success-details': {},
  'odd-case': {},
  'undocumented-fields': {},
  'malformed-record': { unreadableRecords: 4 },
  'no-data-found': { states: {}, eventTypes: loggedOut },
  'empty-list': { states: {}, eventTypes: loggedOut },
  'unknown-state': { states: { ...teamStates, asha: 'unknown' }, eventTypes: ['Agent State Changed'] },
  // One of the two records counts.
  'duplicate-agent': { states: { ...teamStates, asha: 'acw' }, eventTypes: ['Agent State Changed'] },
};

describe('three agents', () => {
  it('are polled with every kind of answer that the simulator knows', () => {
    expect(Object.keys(expectations).sort()).toEqual([...answerKinds].sort());
  });

  it.each(answerKinds)('are as documented after the answer %s, and as before after the next good one', async (kind) => {
    const {
      reason,
      isRetried,
      states = teamStates,
      eventTypes: types = [],
      unreadableRecords = 0,
    } = expectations[kind];
    const redirected: unknown[] = [];
    const elsewhere = await startHttpServer((request, response) => response.end(redirected.push(request.headers)));
    const centre = await polledTeam(kind);
    const before = await centre.floor();

    if (kind === 'slow') centre.useShortTimeout();
    await centre.answer(kind, isRetried === undefined ? 1 : 2, { location: elsewhere.url });
    await centre.poll();
    const after = await centre.floor();
    centre.useLongTimeout();

    expect(after.states).toEqual(states);
    if (types.length === 0) expect(after.agents).toEqual(before.agents);
    expect(after.feed).toMatchObject({ status: 'live', agentCount: Object.keys(states).length, unreadableRecords });
    expect(after.feed?.['lastProblem']).toEqual(reason && { reason, at: after.feed?.['failingSince'] });
    expect(after.feed?.['asOf'] === before.feed?.['asOf']).toBe(reason !== undefined);
    expect(centre.usage()?.requests).toBe(isRetried === undefined ? 2 : 3);
    expect((await centre.events()).map(({ type }) => type)).toEqual(types);
    expect(redirected).toEqual([]);

    centre.advance(60_000);
    await centre.poll();
    expect(await centre.floor()).toMatchObject({ states: teamStates, feed: { status: 'live', agentCount: 3 } });
    expect((await centre.floor()).feed).not.toHaveProperty('failingSince');
    expect(centre.usage()?.overLimit).toBe(0);
  });
});

import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { PollProblem } from '../../lib/agents/feed.ts';
import { type AnswerKind, answerKinds } from '../../sandbox/simulator/service/answer-quirks.ts';
import { startHttpServer } from '../support/local-servers.ts';
import { startTeams, type Teams, team, teamStates } from '../support/polled-centre.ts';

let teams: Teams;
beforeAll(async () => {
  teams = await startTeams();
});
afterAll(() => teams.stop());

const loggedOut = team.map(() => 'Agent Logged Out');

/** What follows from an answer: a problem, which changes nobody, or states other than those of before. */
interface Expected {
  readonly reason?: PollProblem;
  /** It may pass in a moment, so it is asked again in the same slot. */
  readonly again?: true;
  readonly states?: Readonly<Record<string, string>>;
  readonly eventTypes?: readonly string[];
  readonly unreadableRecords?: number;
}

const expectations: Readonly<Record<AnswerKind, Expected>> = {
  'rate-limit-text': { reason: 'rate-limited' },
  'invalid-text': { reason: 'unauthorised' },
  '401-status-false': { reason: 'unauthorised' },
  '429': { reason: 'rate-limited' },
  '405-no-json': { reason: 'http-error', again: true },
  '500': { reason: 'http-error', again: true },
  html: { reason: 'not-json', again: true },
  'truncated-json': { reason: 'not-json', again: true },
  redirect: { reason: 'redirect' },
  huge: { reason: 'too-large' },
  slow: { reason: 'timeout', again: true },
  'message-object': {},
  'message-by-index': {},
  'message-success-details': {},
  'odd-case': {},
  'malformed-record': { unreadableRecords: 4 },
  'no-data-found': { states: {}, eventTypes: loggedOut },
  'empty-list': { states: {}, eventTypes: loggedOut },
  'unknown-state': { states: { ...teamStates, asha: 'unknown' }, eventTypes: ['Agent State Changed'] },
  // One of the two records stands.
  'duplicate-agent': { states: { ...teamStates, asha: 'acw' }, eventTypes: ['Agent State Changed'] },
};

describe('the floor of three agents', () => {
  it('is tried with every answer that the simulator knows', () => {
    expect(Object.keys(expectations).sort()).toEqual([...answerKinds].sort());
  });

  it.each(answerKinds)('is as documented after the answer %s, and as it was after the next good one', async (kind) => {
    const { reason, again, states = teamStates, eventTypes: types = [], unreadableRecords = 0 } = expectations[kind];
    const visited: unknown[] = [];
    const elsewhere = await startHttpServer((request, response) => response.end(visited.push(request.headers)));
    const centre = await teams.polledTeam(kind);
    onTestFinished(centre.stop);
    const before = await centre.floor();

    if (kind === 'slow') centre.useShortTimeout();
    await centre.answer(kind, again === undefined ? 1 : 2, { location: elsewhere.url });
    await centre.poll();
    const after = await centre.floor();
    centre.useLongTimeout();

    expect(after.states).toEqual(states);
    if (types.length === 0) expect(after.agents).toEqual(before.agents);
    expect(after.feed).toMatchObject({ status: 'live', agentCount: Object.keys(states).length, unreadableRecords });
    expect(after.feed?.['lastProblem']).toEqual(reason && { reason, at: after.feed?.['failingSince'] });
    expect(after.feed?.['asOf'] === before.feed?.['asOf']).toBe(reason !== undefined);
    expect(centre.usage()?.requests).toBe(again === undefined ? 2 : 3);
    expect((await centre.events()).map(({ type }) => type)).toEqual(types);
    expect(visited).toEqual([]);

    centre.advance(60_000);
    await centre.poll();
    expect(await centre.floor()).toMatchObject({ states: teamStates, feed: { status: 'live', agentCount: 3 } });
    expect((await centre.floor()).feed).not.toHaveProperty('failingSince');
    expect(centre.usage()?.overLimit).toBe(0);
  });
});

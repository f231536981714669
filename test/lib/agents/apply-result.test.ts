import { describe, expect, it } from 'vitest';
import { applyPollResult, type PollResult } from '../../../lib/agents/apply-result.ts';
import { type PollProblem, pollProblems } from '../../../lib/agents/feed.ts';
import { normaliseAgentLogins } from '../../../lib/agents/normalise-agent.ts';
import { readAgents } from '../../../lib/agents/read-agents.ts';
import { fail, ok } from '../../../lib/core/result.ts';
import { specificationLogins } from '../../fixtures/accounts.ts';
import { pollRun, success } from '../../support/agent-polling.ts';
import { received } from '../../support/call-records.ts';
import { unavailable } from '../../support/memory-ports.ts';

const allAgents = ['asha', 'meera', 'ravi'];
const backingOff: readonly PollProblem[] = ['rate-limited', 'unauthorised', 'rejected', 'no-token', 'token-limit'];

/** A floor of three that was polled a quarter of a minute ago. */
const polledFeed = async () => {
  const run = pollRun({ logins: [success(specificationLogins)] });
  await run.poll();
  run.advance(15_000);
  const told = run.events().length;
  return {
    ...run,
    /** Concludes a poll that ends now. */
    async ends(logins: PollResult['logins']) {
      return applyPollResult(run.run, { known: await readAgents(run.run, 'demo'), requestedAt: run.clock(), logins });
    },
    newEvents: () => run.events().slice(told),
    agents: () => [run.rows('agent'), run.rows('interval')],
  };
};

const answered = (...records: readonly unknown[]) => ok(normaliseAgentLogins(records.map(received)));
const failed = (reason: PollProblem) => fail({ reason });

describe('a poll that failed', () => {
  it.each(pollProblems)('leaves agents and picture as they were, and tells nobody: %s', async (reason) => {
    const { ends, agents, feed, newEvents, telemetry, rows } = await polledFeed();
    const before = { agents: agents(), floors: rows('floor') };
    const { asOf, staleAt, counts, agentCount, status } = feed() ?? {};
    expect(agentCount).toBe(3);
    await ends(failed(reason));

    expect({ agents: agents(), floors: rows('floor') }).toEqual(before);
    expect(feed()).toMatchObject({ asOf, staleAt, counts, agentCount, status });
    expect(feed()).toMatchObject({ lastProblem: { reason }, failingSince: '2026-11-20T06:00:16.000Z' });
    expect(newEvents()).toEqual([]);
    expect(telemetry.counts).toMatchObject({ PollsFailed: 1 });
    expect(telemetry.counts.PollsRateLimited).toBe(reason === 'rate-limited' ? 1 : undefined);
  });

  it.each(pollProblems)('leaves the service alone for a while, or not: %s', async (reason) => {
    const { ends, feed } = await polledFeed();
    await ends(failed(reason));

    expect(feed()?.['poller']).toMatchObject({ inFlight: false });
    expect('backOff' in Object(feed()?.['poller'])).toBe(backingOff.includes(reason));
  });

  it.each(pollProblems)('logs nobody out however long it goes on, and is told of once: %s', async (reason) => {
    const { ends, advance, ids, feed, events } = await polledFeed();
    for (let slot = 0; slot < 10; slot++) {
      await ends(failed(reason));
      advance(15_000);
    }
    const told = events().filter(({ type }) => type !== 'Agent Logged In');

    expect(ids()).toEqual(allAgents);
    expect(feed()).toMatchObject({ status: 'interrupted', statusSince: '2026-11-20T06:00:31.001Z', agentCount: 3 });
    expect(told.map(({ type, detail }) => [type, detail['reason'], detail['asOf'], detail['occurredAt']])).toEqual([
      ['Agent Feed Interrupted', reason, '2026-11-20T06:00:01.000Z', '2026-11-20T06:00:31.001Z'],
    ]);
  });

  it('keeps the floor as it was when the feed is interrupted, marked as such', async () => {
    const { ends, advance, rows } = await polledFeed();
    advance(15_000);
    await ends(failed('timeout'));

    expect(rows('floor').at(-1)).toMatchObject({
      at: '2026-11-20T06:00:31.001Z',
      asOf: '2026-11-20T06:00:01.000Z',
      status: 'interrupted',
      counts: { ready: 1, acw: 1, idle: 1 },
    });
  });

  it('is told of when the picture became stale, though noticed later', async () => {
    const { ends, advance, newEvents, rows } = await polledFeed();
    advance(25_000);
    await ends(failed('timeout'));

    expect(newEvents()).toMatchObject([
      { detail: { occurredAt: '2026-11-20T06:00:31.001Z', recordedAt: '2026-11-20T06:00:41.000Z' } },
    ]);
    expect(rows('floor').at(-1)).toMatchObject({ at: '2026-11-20T06:00:31.001Z' });
  });

  it('is told of even if the floor cannot be kept', async () => {
    const { run, clock, advance, newEvents, rows, feed, telemetry } = await polledFeed();
    const floors = rows('floor');
    advance(15_000);
    const before = await readAgents(run, 'demo');
    const after = await applyPollResult(
      { ...run, table: { ...run.table, put: unavailable } },
      { known: before, requestedAt: clock(), logins: failed('timeout') },
    );

    expect(after?.feed.status).toBe('interrupted');
    expect(telemetry.places()).toEqual(['agent-store']);
    expect(newEvents()).toMatchObject([{ type: 'Agent Feed Interrupted', detail: { reason: 'timeout' } }]);
    expect(rows('floor')).toEqual(floors);
    // The row says no more than is so: the floor that was kept last is the one before.
    expect(feed()).toMatchObject({ status: 'interrupted', poller: { snapshotAt: '2026-11-20T06:00:01.000Z' } });
  });

  it('is told of by nobody where the table is down', async () => {
    const { run, clock, advance, newEvents } = await polledFeed();
    advance(15_000);
    const table = { ...run.table, put: unavailable, write: unavailable };
    const before = await readAgents(run, 'demo');

    await expect(
      applyPollResult({ ...run, table }, { known: before, requestedAt: clock(), logins: failed('timeout') }),
    ).rejects.toThrow();
    expect(newEvents()).toEqual([]);
  });

  it('is made good by the next answer, which is told of once', async () => {
    const { ends, advance, newEvents, feed, rows } = await polledFeed();
    advance(15_000);
    await ends(failed('timeout'));
    for (let slot = 0; slot < 3; slot++) {
      advance(15_000);
      await ends(answered(...specificationLogins));
    }

    expect(feed()).toMatchObject({ status: 'live', statusSince: '2026-11-20T06:00:46.000Z' });
    expect(rows('floor').at(-1)).toMatchObject({ at: '2026-11-20T06:00:46.000Z', status: 'live' });
    expect(newEvents().map(({ type, detail }) => [type, detail['secondsInterrupted']])).toEqual([
      ['Agent Feed Interrupted', undefined],
      ['Agent Feed Restored', 15],
    ]);
  });

  it('counts for nothing where somebody else has written meanwhile', async () => {
    const { run, poll, clock, feed } = await polledFeed();
    const outdated = await readAgents(run, 'demo');
    await poll();
    const before = feed();

    expect(
      await applyPollResult(run, { known: outdated, requestedAt: clock(), logins: failed('timeout') }),
    ).toBeUndefined();
    expect(feed()).toEqual(before);
  });

  it('tells nothing where somebody else has written meanwhile, and leaves what all would keep: the floor as it was', async () => {
    const { run, poll, clock, advance, rows } = await polledFeed();
    const outdated = await readAgents(run, 'demo');
    await poll();
    advance(15_000);
    const { agents } = rows('floor')[0] ?? {};

    expect(
      await applyPollResult(run, { known: outdated, requestedAt: clock(), logins: failed('timeout') }),
    ).toBeUndefined();
    expect(rows('floor').at(-1)).toMatchObject({ status: 'interrupted', agents });
    expect(rows('feed-change')).toEqual([]);
  });
});

describe('a poll that was answered', () => {
  it('writes what is new: agents, timelines, the whole floor', async () => {
    const { ends, ids, rows, feed, newEvents, telemetry } = await polledFeed();
    await ends(answered({ ...specificationLogins[0], AgentState: 'INCALL' }, specificationLogins[1]));

    expect(ids()).toEqual(['asha', 'ravi']);
    expect(feed()).toMatchObject({ asOf: '2026-11-20T06:00:16.000Z', counts: { 'in-call': 1, acw: 1 }, agentCount: 2 });
    expect(rows('floor')).toHaveLength(2);
    expect(newEvents().map(({ type, detail }) => [type, detail['agentId']])).toEqual([
      ['Agent State Changed', 'asha'],
      ['Agent Logged Out', 'meera'],
    ]);
    expect(telemetry.counts).toMatchObject({ PollsSucceeded: 2, AgentsChanged: 5, ChangesWritten: 5 });
  });

  it('writes nothing but the feed’s row where nothing is new', async () => {
    const { ends, table } = await polledFeed();
    const before = table.changes().length;
    await ends(answered(...specificationLogins.toReversed()));

    expect(
      table
        .changes()
        .slice(before)
        .map(({ after }) => after?.['kind']),
    ).toEqual(['feed']);
  });

  it('counts no changes where nobody has changed', async () => {
    const { poll, telemetry } = pollRun({ logins: [success([])] });
    await poll();

    expect(Object.keys(telemetry.counts)).toEqual(['PollsSucceeded']);
  });

  it('logs everybody out where the floor is empty', async () => {
    const { ends, ids, feed, newEvents } = await polledFeed();
    await ends(answered());

    expect(ids()).toEqual([]);
    expect(feed()).toMatchObject({ agentCount: 0, counts: {} });
    expect(newEvents().map(({ type }) => type)).toEqual(Array(3).fill('Agent Logged Out'));
  });

  it('logs nobody out whom a record that cannot be read may mean, and counts such records', async () => {
    const { ends, ids, feed, telemetry } = await polledFeed();
    await ends(answered(specificationLogins[0], { AgentId: 'ravi' }, { AgentName: 'Nobody here' }));

    expect(ids()).toEqual(['asha', 'ravi']);
    expect(feed()).toMatchObject({ unreadableRecords: 2, agentCount: 2 });
    expect(telemetry.counts).toMatchObject({ AgentRecordsUnreadable: 2 });
  });

  it.each([
    ['a record that tells nothing', null, allAgents],
    ['a record with a name and no id', { AgentName: 'Ravi Nair', AgentState: 'READY' }, ['asha', 'ravi']],
    ['a record with a number and no id', { PhoneNumber: '09000000003' }, ['asha', 'meera']],
  ])('logs out who has left after all, once %s has come for more than five minutes', async (_title, record, there) => {
    const { ends, advance, ids } = await polledFeed();
    for (let slot = 0; slot <= 20; slot++) {
      await ends(answered(specificationLogins[0], record));
      expect(ids()).toEqual(there);
      advance(15_000);
    }
    await ends(answered(specificationLogins[0], record));

    expect(ids()).toEqual(['asha']);
  });

  it('leaves those who are named without a state as they were, however long, and logs out the others', async () => {
    const { ends, advance, ids, rows } = await polledFeed();
    const before = rows('agent').filter((row) => row['agentId'] === 'ravi');
    for (let slot = 0; slot <= 21; slot++) {
      await ends(answered({ AgentId: 'ravi' }));
      expect(ids()).toEqual(['ravi']);
      advance(15_000);
    }

    expect(rows('agent')).toEqual(before);
  });

  it('keeps the whole floor each day, though nobody has changed', async () => {
    const { ends, rows, advance, telemetry } = await polledFeed();
    advance(Date.parse('2026-11-20T18:30:05.000Z') - Date.parse('2026-11-20T06:00:16.000Z'));
    await ends(answered(...specificationLogins));

    expect(rows('floor').map(({ at }) => at)).toEqual(['2026-11-20T06:00:01.000Z', '2026-11-20T18:30:05.000Z']);
    expect(rows('interval')).toHaveLength(6);
    // Those of whom the day alone is new have not changed.
    expect(telemetry.counts).toMatchObject({ AgentsChanged: 3 });
  });

  it('keeps the whole floor each day, though nobody is there', async () => {
    const { ends, rows, advance } = await polledFeed();
    await ends(answered());
    advance(15_000);
    await ends(answered());
    expect(rows('floor')).toHaveLength(2);

    advance(86_400_000);
    await ends(answered());
    expect(rows('floor').at(-1)).toMatchObject({ at: '2026-11-21T06:00:31.000Z', counts: {}, agents: [] });
  });

  it('restores the feed with as many changes as one write takes beside it', async () => {
    const crowd = (AgentName: string) =>
      answered(...Array.from({ length: 99 }, (_, index) => ({ AgentId: `${index}`, AgentState: 'READY', AgentName })));
    const { ends, advance, newEvents } = await polledFeed();
    await ends(crowd('before'));
    advance(31_000);
    await ends(failed('timeout'));
    const told = newEvents().length;
    advance(15_000);
    await ends(crowd('after'));
    const types = newEvents()
      .slice(told)
      .map(({ type }) => type);

    expect(types.toSorted()).toEqual([...Array(99).fill('Agent Details Changed'), 'Agent Feed Restored']);
  });

  it.each([
    ['the second in which it was asked', 999, '2026-11-20T06:00:16.000Z'],
    ['a second after the last, where it was asked within the same', -14_700, '2026-11-20T06:00:02.000Z'],
    ['a second after the last, where a clock is behind', -60_000, '2026-11-20T06:00:02.000Z'],
  ])('is dated in whole seconds: %s', async (_title, ms, at) => {
    const { ends, advance, feed } = await polledFeed();
    advance(ms);
    await ends(answered());

    expect(feed()).toMatchObject({ asOf: at });
  });

  it('is dated later than the interruption that it ends, though both are of one second', async () => {
    const { ends, advance, events, rows } = await polledFeed();
    advance(15_200);
    await ends(failed('timeout'));
    advance(700);
    await ends(answered(...specificationLogins));
    const [interrupted, restored] = events().filter(({ type }) => type.startsWith('Agent Feed'));

    expect(String(restored?.detail['occurredAt']) > String(interrupted?.detail['occurredAt'])).toBe(true);
    expect(restored?.detail['secondsInterrupted']).toBeGreaterThan(0);
    expect(rows('floor').map(({ status }) => status)).toEqual(['live', 'interrupted', 'live']);
  });
});

import { describe, expect, it } from 'vitest';
import { applyPollResult, type PollResult } from '../../../lib/agents/answer.ts';
import { newFeed } from '../../../lib/agents/feed.ts';
import { normaliseAgentLogins } from '../../../lib/agents/normalise-agent.ts';
import { type AccountAgents, readAgents } from '../../../lib/agents/poll-context.ts';
import { feedOf } from '../../../lib/agents/rows.ts';
import type { Feed } from '../../../lib/agents/schema.ts';
import { receiptsKey, silentSince, withEndedCalls } from '../../../lib/agents/silence.ts';
import { fail, ok } from '../../../lib/core/result.ts';
import { type PollProblem, pollProblems } from '../../../lib/telephony/service/problems.ts';
import { specificationLogins } from '../../fixtures/accounts.ts';
import { kolkataAccount, noReply, pollRun, slotMs, success, threeAgents } from '../../support/agent-polling.ts';
import { received } from '../../support/call-records.ts';
import { unavailable } from '../../support/memory-ports.ts';

const allAgents = ['asha', 'meera', 'ravi'];
const answered = (...records: readonly unknown[]) => ok(normaliseAgentLogins(records.map(received)));
const failed = (reason: PollProblem) => fail({ reason });

/** Three agents who were polled a slot ago. */
const polledFeed = async () => {
  const setting = pollRun({ logins: [threeAgents] });
  await setting.poll();
  setting.advance(slotMs);
  const { length } = setting.events();
  const apply = (known: AccountAgents, logins: PollResult['logins'], run = setting.run) =>
    applyPollResult(run, { known, requestedAt: setting.clock(), logins });
  return {
    ...setting,
    apply,
    known: () => readAgents(setting.run, 'demo'),
    /** Applies the result of a poll that is made now. */
    async applyResult(logins: PollResult['logins'], run = setting.run) {
      return apply(await readAgents(run, 'demo'), logins, run);
    },
    newEvents: () => setting.events().slice(length),
    agents: () => [setting.rows('agent'), setting.rows('interval')],
  };
};

describe('a poll that failed', () => {
  it.each(pollProblems)(
    'changes neither agents nor snapshots, and becomes one event if it lasts: %s',
    async (reason) => {
      const { applyResult, advance, agents, feed, newEvents, telemetry, snapshots } = await polledFeed();
      const before = { agents: agents(), snapshots: snapshots() };
      const { asOf, staleAt, counts, agentCount, status } = feed() ?? {};
      expect(agentCount).toBe(3);
      await applyResult(failed(reason));

      expect({ agents: agents(), snapshots: snapshots() }).toEqual(before);
      expect(feed()).toMatchObject({ asOf, staleAt, counts, agentCount, status, poller: { inFlight: false } });
      expect(feed()).toMatchObject({ lastProblem: { reason }, failingSince: '2026-11-20T06:00:16.000Z' });
      expect(newEvents()).toEqual([]);
      expect(telemetry.counts).toMatchObject({ PollsFailed: 1 });
      expect(telemetry.counts.PollsRateLimited).toBe(reason === 'rate-limited' ? 1 : undefined);

      for (let slot = 0; slot < 9; slot++) {
        advance(slotMs);
        await applyResult(failed(reason));
      }
      expect(agents()).toEqual(before.agents);
      expect(feed()).toMatchObject({ status: 'interrupted', statusSince: '2026-11-20T06:00:31.001Z', agentCount: 3 });
      expect(newEvents().map(({ type, detail }) => [type, detail['reason'], detail['asOf']])).toEqual([
        ['Agent Feed Interrupted', reason, '2026-11-20T06:00:01.000Z'],
      ]);
    },
  );

  it('saves a snapshot of the last known agents when it interrupts the feed, dated to when they became stale', async () => {
    const { applyResult, advance, newEvents, snapshots } = await polledFeed();
    await applyResult(failed('connection'));
    advance(25_000);
    await applyResult(failed('timeout'));

    expect(newEvents()).toMatchObject([
      { detail: { occurredAt: '2026-11-20T06:00:31.001Z', recordedAt: '2026-11-20T06:00:41.000Z' } },
    ]);
    expect(snapshots().at(-1)).toMatchObject({
      at: '2026-11-20T06:00:31.001Z',
      asOf: '2026-11-20T06:00:01.000Z',
      status: 'interrupted',
      counts: { ready: 1, acw: 1, idle: 1 },
    });
  });

  it('interrupts the feed even if the snapshot cannot be saved', async () => {
    const { run, applyResult, advance, newEvents, snapshots, feed, telemetry } = await polledFeed();
    const before = snapshots();
    await applyResult(failed('connection'));
    advance(slotMs);
    const after = await applyResult(failed('timeout'), { ...run, table: { ...run.table, put: unavailable } });

    expect(after?.feed.status).toBe('interrupted');
    expect(telemetry.places()).toEqual(['agent-store']);
    expect(newEvents()).toMatchObject([{ type: 'Agent Feed Interrupted', detail: { reason: 'timeout' } }]);
    expect(snapshots()).toEqual(before);
    // The feed names only a snapshot that exists.
    expect(feed()).toMatchObject({ status: 'interrupted', poller: { snapshotAt: '2026-11-20T06:00:01.000Z' } });
  });

  it('throws where the table is down, without an event', async () => {
    const { run, applyResult, advance, newEvents } = await polledFeed();
    advance(slotMs);
    const table = { ...run.table, put: unavailable, write: unavailable };

    await expect(applyResult(failed('timeout'), { ...run, table })).rejects.toThrow();
    expect(newEvents()).toEqual([]);
  });

  it('writes nothing where another run has written the feed meanwhile', async () => {
    const { poll, known, apply, feed } = await polledFeed();
    const outdated = await known();
    await poll();
    const before = feed();

    expect(await apply(outdated, failed('timeout'))).toBeUndefined();
    expect(feed()).toEqual(before);
  });

  it('leaves at most a snapshot where another run has written the feed meanwhile: the last known agents', async () => {
    const { poll, known, apply, applyResult, advance, rows, snapshots } = await polledFeed();
    await applyResult(failed('connection'));
    const outdated = await known();
    await poll();
    advance(slotMs);
    const { agents } = snapshots()[0] ?? {};

    expect(await apply(outdated, failed('timeout'))).toBeUndefined();
    expect(snapshots().at(-1)).toMatchObject({ status: 'interrupted', agents });
    expect(rows('feed-change')).toEqual([]);
  });
});

describe('a poll that was answered', () => {
  it('writes what is new: agents, timelines and a snapshot', async () => {
    const { applyResult, ids, snapshots, feed, newEvents, telemetry } = await polledFeed();
    await applyResult(answered({ ...specificationLogins[0], AgentState: 'INCALL' }, specificationLogins[1]));

    expect(ids()).toEqual(['asha', 'ravi']);
    expect(feed()).toMatchObject({ asOf: '2026-11-20T06:00:16.000Z', counts: { 'in-call': 1, acw: 1 }, agentCount: 2 });
    expect(snapshots()).toHaveLength(2);
    expect(newEvents().map(({ type, detail }) => [type, detail['agentId']])).toEqual([
      ['Agent State Changed', 'asha'],
      ['Agent Logged Out', 'meera'],
    ]);
    expect(telemetry.counts).toMatchObject({ PollsSucceeded: 2, AgentsChanged: 5, ChangesWritten: 5 });
  });

  it('writes nothing but the feed’s row where nothing is new', async () => {
    const { applyResult, table } = await polledFeed();
    const { length } = table.changes();
    await applyResult(answered(...specificationLogins.toReversed()));
    const kinds = table.changes().map(({ after }) => after?.['kind']);

    expect(kinds.slice(length)).toEqual(['feed']);
  });

  it('counts no changes where no agent has changed', async () => {
    const { poll, telemetry } = pollRun({ logins: [success([])] });
    await poll();

    expect(Object.keys(telemetry.counts)).toEqual(['PollsSucceeded']);
  });

  it('logs nobody out whom an unreadable record may mean, and counts such records', async () => {
    const { applyResult, ids, feed, telemetry } = await polledFeed();
    await applyResult(answered(specificationLogins[0], { AgentId: 'ravi' }, { AgentName: 'Nobody here' }));

    expect(ids()).toEqual(['asha', 'ravi']);
    expect(feed()).toMatchObject({ unreadableRecords: 2, agentCount: 2 });
    expect(telemetry.counts).toMatchObject({ AgentRecordsUnreadable: 2 });
  });

  it.each([
    ['an empty record', null, allAgents],
    ['a record with a number and no id', { PhoneNumber: '09000000003' }, ['asha', 'meera']],
  ])('logs out who is missing once %s has come for more than five minutes', async (_title, record, present) => {
    const { applyResult, advance, ids } = await polledFeed();
    for (let slot = 0; slot <= 20; slot++) {
      await applyResult(answered(specificationLogins[0], record));
      expect(ids()).toEqual(present);
      advance(slotMs);
    }
    await applyResult(answered(specificationLogins[0], record));

    expect(ids()).toEqual(['asha']);
  });

  it.each([
    ['as the agents are', answered(...specificationLogins), 3],
    ['while nobody is logged in', answered(), 0],
  ])('saves a snapshot on each new day: %s', async (_title, answer, count) => {
    const { applyResult, rows, snapshots, advance, telemetry } = await polledFeed();
    await applyResult(answer);
    const { length } = snapshots();
    const { AgentsChanged } = telemetry.counts;
    advance(Date.parse('2026-11-20T18:30:05.000Z') - Date.parse('2026-11-20T06:00:16.000Z'));
    await applyResult(answer);

    expect(snapshots().slice(length)).toMatchObject([{ at: '2026-11-20T18:30:05.000Z', status: 'live' }]);
    expect(snapshots().at(-1)?.['agents']).toHaveLength(count);
    expect(rows('interval')).toHaveLength(3 + count);
    // An agent for whom only the day is new has not changed.
    expect(telemetry.counts).toMatchObject({ AgentsChanged });
  });

  it('restores the feed in one write with as many changes as fit beside it', async () => {
    const ninetyNine = (AgentName: string) =>
      answered(...Array.from({ length: 99 }, (_, index) => ({ AgentId: `${index}`, AgentState: 'READY', AgentName })));
    const { applyResult, advance, newEvents } = await polledFeed();
    await applyResult(ninetyNine('before'));
    for (const ms of [slotMs, 2 * slotMs]) {
      advance(ms);
      await applyResult(failed('timeout'));
    }
    const { length } = newEvents();
    advance(slotMs);
    await applyResult(ninetyNine('after'));
    const types = newEvents().map(({ type }) => type);

    expect(types.slice(length).sort()).toEqual([...Array(99).fill('Agent Details Changed'), 'Agent Feed Restored']);
  });

  it.each([
    ['the second of its request', 15_999, '2026-11-20T06:00:31.000Z'],
    ['a second after the last poll, where both are in one second', 300, '2026-11-20T06:00:17.000Z'],
    ['a second after the last poll, where a clock is behind', -60_000, '2026-11-20T06:00:17.000Z'],
  ])('is dated to %s', async (_title, ms, at) => {
    const { applyResult, advance, feed } = await polledFeed();
    await applyResult(answered(...specificationLogins));
    advance(ms);
    await applyResult(answered());

    expect(feed()).toMatchObject({ asOf: at });
  });

  it('is dated after the interruption that it ends, though both are in one second', async () => {
    const { applyResult, advance, feedEvents, snapshots } = await polledFeed();
    await applyResult(failed('connection'));
    advance(15_200);
    await applyResult(failed('timeout'));
    advance(700);
    await applyResult(answered(...specificationLogins));
    const [interrupted, restored] = feedEvents();

    expect(String(restored?.detail['occurredAt']) > String(interrupted?.detail['occurredAt'])).toBe(true);
    expect(restored?.detail['secondsInterrupted']).toBeGreaterThan(0);
    expect(snapshots().map(({ status }) => status)).toEqual(['live', 'interrupted', 'live']);
  });
});

describe('calls that agents end while no callback comes', () => {
  /** What happens in a slot: the states of agents, or the failure of the poll; later slots keep them. */
  type Slot = Readonly<Record<string, string>> | 'failed' | ((setting: ReturnType<typeof pollRun>) => unknown);

  const play = async (slots: readonly Slot[], { callbacks = 'on', seconds = 15 } = {}) => {
    let states: Readonly<Record<string, string>> = {};
    let isFailing = false;
    const setting: ReturnType<typeof pollRun> = pollRun({
      account: { ...kolkataAccount, callbacks },
      logins: [
        () =>
          isFailing
            ? noReply('redirect')
            : success(Object.entries(states).map(([AgentId, AgentState]) => ({ AgentId, AgentState }))),
      ],
    });
    for (const slot of slots) {
      isFailing = slot === 'failed';
      if (typeof slot === 'function') await slot(setting);
      else if (slot !== 'failed') states = slot;
      // A process of its own each time: nothing depends on what one remembers.
      await setting.poll(setting.instance());
      setting.advance(seconds * 1_000);
    }
    return setting;
  };
  const silence = async (...args: Parameters<typeof play>) => silentSince(feedOf((await play(...args)).feed() ?? {}));

  const inCall = { a: 'INCALL', b: 'INCALL', c: 'INCALL' };
  const free = { a: 'READY', b: 'ACW', c: 'READY' };
  /** Three agents end a call in the second slot, and again in the fourth. */
  const sixCalls = [inCall, free, inCall, free];
  const third = '2026-11-20T06:00:16.000Z';
  const receipts = (times: object) => (setting: ReturnType<typeof pollRun>) =>
    setting.table.put([{ ...receiptsKey('demo'), ...times }]);

  it.each<[string, readonly Slot[], string | undefined]>([
    ['six calls of three agents, since the third', sixCalls, third],
    ['three calls', [inCall, free], undefined],
    [
      'many calls of two agents',
      [1, 2, 3, 4].flatMap(() => [
        { a: 'INCALL', b: 'INCALL' },
        { a: 'IDLE', b: 'IDLE' },
      ]),
      undefined,
    ],
    ['agents who log out in a call', [inCall, {}, inCall, {}, inCall, {}], undefined],
    ['agents who are still in a call', [inCall, inCall, inCall, inCall], undefined],
    [
      'calls that ended while polls failed for a minute',
      [inCall, 'failed', 'failed', 'failed', free, inCall, free],
      undefined,
    ],
    ['calls around a single failed poll', [inCall, 'failed', free, inCall, free], '2026-11-20T06:00:31.000Z'],
    [
      'a callback before them',
      [receipts({ lastReceivedAt: '2026-11-20T05:59:00.000Z' }), ...sixCalls],
      '2026-11-20T06:00:31.000Z',
    ],
    ['a callback after them', [...sixCalls, receipts({ lastReceivedAt: '2026-11-20T06:01:00.000Z' })], undefined],
    [
      'a callback in the minute before, as its time may be a minute early',
      [...sixCalls, receipts({ lastReceivedAt: '2026-11-20T05:59:30.000Z' })],
      undefined,
    ],
    [
      'a publisher that was behind after them',
      [...sixCalls, receipts({ heldUpAt: '2026-11-20T06:01:00.000Z' })],
      undefined,
    ],
    [
      'a failed poll after a callback',
      [...sixCalls, receipts({ lastReceivedAt: '2026-11-20T06:01:00.000Z' }), 'failed'],
      undefined,
    ],
    ['nothing more, for as long as it takes', [...sixCalls, free, {}, {}], third],
  ])('count for %s', async (_title, slots, since) => {
    expect(await silence(slots)).toBe(since);
  });

  it('are shown to readers six minutes after the third, by the slots of the attempts', async () => {
    const setting = await play(sixCalls);
    const shown: unknown[] = [];
    for (let slot = 4; slot < 27; slot++) {
      await setting.poll(setting.instance());
      shown.push(setting.feed()?.['callbacksSilentSince']);
      setting.advance(slotMs);
    }

    // The slot of 06:06:30 is the first that begins six minutes after 06:00:16.
    expect(shown.indexOf(third)).toBe(22);
    expect(shown.slice(0, 22)).toEqual(Array(22).fill(undefined));
  });

  it('do not count for an account without callbacks, nor once it is set to have none', async () => {
    expect(await silence(sixCalls, { callbacks: 'off' })).toBeUndefined();
    const setting = await play(sixCalls);
    const off = { ...setting.instance(), account: { ...kolkataAccount, callbacks: 'off' as const } };
    await setting.poll(off);

    expect(setting.feed()?.['poller']).not.toHaveProperty('endedCalls');
  });

  it('do not count together if they are more than an hour apart', async () => {
    const [hour, twoHours] = [3_600_000, 7_200_000];
    const ended = (feed: Feed, atMs: number) => withEndedCalls(feed, ['a', 'b', 'c'], new Date(atMs).toISOString());
    const { run } = pollRun({});
    const feed = ended(newFeed('demo', run.clock()), 0);

    expect(silentSince(ended(feed, hour))).toBe('1970-01-01T00:00:00.000Z');
    expect(silentSince(ended(feed, hour + 1))).toBeUndefined();
    // Once there are enough they stay: the end of work is no end of the fault.
    expect(silentSince(ended(ended(feed, hour), twoHours))).toBe('1970-01-01T00:00:00.000Z');
  });

  it('are counted once, wherever a run is aborted', async () => {
    const manyInCall = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`agent-${index}`, 'INCALL']));
    const manyFree = Object.fromEntries(Object.keys(manyInCall).map((agentId) => [agentId, 'READY']));
    for (let step = 1; step < 12; step++) {
      let [calls, states] = [Number.NEGATIVE_INFINITY, manyInCall];
      const setting: ReturnType<typeof pollRun> = pollRun({
        logins: [() => success(Object.entries(states).map(([AgentId, AgentState]) => ({ AgentId, AgentState })))],
        onCall: (operation) => {
          if (/ (write|put)$/.test(operation) && ++calls === step) throw new Error('aborted');
        },
      });
      await setting.poll(setting.instance());
      setting.advance(slotMs);
      [calls, states] = [0, manyFree];
      await setting.poll(setting.instance()).catch(() => undefined);
      setting.advance(slotMs);
      await setting.poll(setting.instance());

      const { endedCalls } = Object(setting.feed()?.['poller']);
      expect([step, endedCalls.length, new Set(endedCalls.map(({ by }: { by: number }) => by)).size]).toEqual([
        step,
        5,
        5,
      ]);
    }
  });
});

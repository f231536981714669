import { describe, expect, it } from 'vitest';
import { newFeed } from '../../../lib/agents/feed.ts';
import {
  emitAgentMetrics,
  emitCallbackMetrics,
  emitNoAnswerMetrics,
  type PolledAccounts,
} from '../../../lib/agents/poll-context.ts';
import type { Feed } from '../../../lib/agents/schema.ts';
import { agentStateMetrics } from '../../../lib/telemetry/metrics.ts';
import { recordingTelemetry } from '../../support/memory-ports.ts';

type Known = PolledAccounts['known'];

const now = new Date('2026-11-20T06:01:00.000Z');
const asOf = '2026-11-20T06:00:58.000Z';
const account = (feed: Partial<Feed>) => ({ feed: { ...newFeed('demo', now), ...feed }, agents: new Map() });
const answered = (counts: Feed['counts'] = {}, at = asOf) => account({ asOf: at, counts });

const measured = (known: Known, failingSince: readonly string[] = []) => {
  const telemetry = recordingTelemetry();
  emitAgentMetrics(telemetry, { known, failingSince }, now);
  return telemetry.measured;
};

describe('FeedAgeSeconds', () => {
  it.each<[string, Known, number[] | undefined]>([
    ['is the age of the last answer', [answered()], [2]],
    ['is that of the oldest feed', [answered(), answered({}, '2026-11-20T05:59:00.000Z')], [120]],
    ['is never negative, though a poll may be dated ahead', [answered({}, '2026-11-20T06:01:01.000Z')], [0]],
    [
      'counts from the last answer, however long polls have failed',
      [account({ asOf: '2026-11-20T06:00:40.000Z', failingSince: '2026-11-20T06:00:50.000Z' })],
      [20],
    ],
    [
      'counts from the first failure where there was no answer yet',
      [account({ failingSince: '2026-11-20T06:00:30.000Z' }), answered()],
      [30],
    ],
    ['omits an account without an answer or a failure', [account({}), answered()], [2]],
    ['omits an account that the run does not know', [undefined, answered()], [2]],
    ['is absent where nothing is known', [undefined, account({})], undefined],
    ['is zero where no account is polled', [], [0]],
  ])('%s', (_title, known, values) => {
    expect(measured(known).FeedAgeSeconds).toEqual(values);
  });

  it('includes an account that cannot be polled', () => {
    expect(measured([answered(), undefined], ['2026-11-20T05:58:00.000Z']).FeedAgeSeconds).toEqual([180]);
  });
});

describe('the number of agents in each state', () => {
  it('is added up over all accounts, with zeros', () => {
    const values = measured([answered({ ready: 2, 'in-call': 1 }), answered({ ready: 3, unknown: 4 })]);

    expect(values).toMatchObject({ AgentsReady: [5], AgentsInCall: [1], AgentsUnknown: [4], AgentsPause: [0] });
    expect(Object.keys(values).sort()).toEqual([...agentStateMetrics, 'FeedAgeSeconds'].sort());
  });

  it('stays that of the last answer while polls fail', () => {
    expect(measured([account({ asOf, counts: { ready: 2 }, failingSince: asOf })])).toMatchObject({ AgentsReady: [2] });
  });

  it.each<[string, Known]>([
    ['one account is not known', [answered({ ready: 1 }), undefined]],
    ['one account was never answered', [answered({ ready: 1 }), account({ failingSince: asOf })]],
    ['no account is polled', []],
  ])('is absent where %s', (_title, known) => {
    expect(Object.keys(measured(known)).filter((name) => name !== 'FeedAgeSeconds')).toEqual([]);
  });
});

describe('emitCallbackMetrics', () => {
  const endedAt = (time: string) => Date.parse(`2026-11-20T05:${time}.000Z`);
  /** Five calls ended; the third at 05:40:00. */
  const fiveCalls = ['39:00', '39:30', '40:00', '45:00', '46:00'].map((time, by) => ({ at: endedAt(time), by }));
  const feedWith = (endedCalls: typeof fiveCalls): Feed => {
    const feed = newFeed('demo', now);
    return { ...feed, poller: { ...feed.poller, endedCalls } };
  };
  const silent = { feed: feedWith(fiveCalls), receipts: {} };
  const working = { feed: feedWith([]), receipts: { lastReceivedAt: '2026-11-20T06:00:30.000Z' } };
  const late = { feed: feedWith(fiveCalls), receipts: { lastReceivedAt: '2026-11-20T05:38:01.000Z' } };

  it.each<[string, Parameters<typeof emitCallbackMetrics>[1], object]>([
    ['the time since the third of five calls', [silent], { CallbackSilenceSeconds: [1_260] }],
    [
      'the longest of several accounts',
      [working, silent],
      { CallbackSilenceSeconds: [1_260], LastCallbackAgeSeconds: [30] },
    ],
    [
      'the oldest of several callbacks',
      [working, late],
      { CallbackSilenceSeconds: [0], LastCallbackAgeSeconds: [1_379] },
    ],
    ['zero for fewer calls', [{ ...silent, feed: feedWith(fiveCalls.slice(1)) }], { CallbackSilenceSeconds: [0] }],
    ['zero where no account posts callbacks', [], { CallbackSilenceSeconds: [0] }],
    ['nothing where no account is known', [undefined], {}],
    ['the accounts that are known', [undefined, silent], { CallbackSilenceSeconds: [1_260] }],
  ])('measures %s', (_title, accounts, measures) => {
    const telemetry = recordingTelemetry();
    emitCallbackMetrics(telemetry, accounts, now);

    expect(telemetry.measured).toEqual(measures);
  });
});

describe('emitNoAnswerMetrics', () => {
  it.each([
    ['PollsFailed', { PollsFailed: 1, PollsSkipped: 0, PollsSucceeded: 0 }],
    ['PollsSkipped', { PollsFailed: 0, PollsSkipped: 1, PollsSucceeded: 0 }],
  ] as const)('counts a poll as %s, and zeros for the other ends', (ended, counts) => {
    const telemetry = recordingTelemetry();
    emitNoAnswerMetrics(telemetry, ended);

    expect(telemetry.counts).toEqual(counts);
  });
});

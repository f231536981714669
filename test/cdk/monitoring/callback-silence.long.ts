import type { Context, SQSEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { createPollHandler } from '../../../functions/poll-agents/app.ts';
import { pollAgents } from '../../../functions/poll-agents/poll-agents.ts';
import { publishChanges } from '../../../functions/publish-changes/publish-changes.ts';
import { receiveCallback } from '../../../functions/receive-callback/receive-callback.ts';
import { noteReceipts, type ReceiptStore, receiptsKey } from '../../../lib/agents/callback-receipts.ts';
import { recordDelivery } from '../../../lib/calls/record-delivery.ts';
import type { RowChange } from '../../../lib/publish/events-of-change.ts';
import type { TelephonyService } from '../../../lib/service/service.ts';
import type { AgentTable, KeyedRow, RowKey } from '../../../lib/storage/rows.ts';
import type { Telemetry } from '../../../lib/telemetry/metrics.ts';
import { between, chance, type Random, seededRandom } from '../../../sandbox/simulator/random.ts';
import { success } from '../../deployment/telephony.ts';
import { kolkataAccount } from '../../fixtures/accounts.ts';
import { specificationSummary } from '../../fixtures/calls.ts';
import {
  fixedAccounts,
  formPost,
  manualClock,
  memoryParking,
  memoryQuarantine,
  memoryVersionedRows,
  recordingBus,
} from '../../support/memory-ports.ts';
import { kmsKeyArn } from '../support/configurations.ts';
import { only, synthesise } from '../support/template.ts';
import { timesRaised } from './evaluate-alarm.ts';
import { deployedResources, metricRecorder, type Run } from './scenario.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const slotMs = 15_000;

/** Midnight in India, on a Monday. */
const monday = Date.parse('2026-11-23T00:00:00+05:30');
const [opens, closes] = [9 * hourMs, 18 * hourMs];
/** The hour in which most agents have lunch. */
const quietFrom = 14 * hourMs;
const intoQuiet = (ms: number) => ((ms - monday) % dayMs) - quietFrom;
const isQuiet = (ms: number) => intoQuiet(ms) >= 0 && intoQuiet(ms) < hourMs;

/** When an agent who is free at an instant gets the next call. */
const nextCallMs = (random: Random, freeMs: number): number => {
  const after = (ms: number, meanMinutes: number) => ms + Math.round(-Math.log(1 - random()) * meanMinutes * minuteMs);
  if (!isQuiet(freeMs)) return after(freeMs, 2.5);
  const rare = after(freeMs, 40);
  return isQuiet(rare) ? rare : after(freeMs - intoQuiet(freeMs) + hourMs, 2.5);
};

/** The state of an agent from an instant on; undefined after the log-out. */
interface Change {
  readonly atMs: number;
  readonly agentId: string;
  readonly state: string | undefined;
}

/** A callback that the service posts. */
interface Post {
  readonly atMs: number;
  readonly summary: object;
}

interface Plan {
  readonly changes: Change[];
  readonly posts: Post[];
}

let lastCall = 41_781_234_000_000_000n;

/** When a call is posted after its end, in milliseconds: at once, after the wrap-up, late, or never. */
const postDelays = (random: Random, wrapMs: number): readonly number[] => {
  const draw = random();
  if (draw < 0.04) return [];
  if (draw < 0.1) return [between(random, 8, 20) * minuteMs];
  if (draw < 0.4) return [wrapMs + between(random, 0, 200) * 1_000];
  return [between(random, 1, 10) * 1_000, ...(chance(random, 0.3) ? [5 * minuteMs] : [])];
};

const postCall = (plan: Plan, endMs: number, delays: readonly number[]): void => {
  const monitorUCID = String(lastCall++);
  for (const [index, delay] of delays.entries()) {
    const said = { ...specificationSummary, Apikey: 'demo-key', UserName: 'demo', monitorUCID };
    const summary = { ...said, Disposition: index === 0 ? '' : 'Sold' };
    plan.posts.push({ atMs: endMs + delay, summary });
  }
};

/** One call of an agent, from an instant on. Answers when the agent is free again. */
const call = (plan: Plan, random: Random, { agentId, atMs }: { readonly agentId: string; readonly atMs: number }) => {
  const endMs = atMs + Math.round(30_000 - Math.log(1 - random()) * 180_000);
  const wrapMs = between(random, 10, 120) * 1_000;
  plan.changes.push({ atMs, agentId, state: 'INCALL' });
  plan.changes.push({ atMs: endMs, agentId, state: 'ACW' });
  plan.changes.push({ atMs: endMs + wrapMs, agentId, state: 'READY' });
  postCall(plan, endMs, postDelays(random, wrapMs));
  return endMs + wrapMs;
};

/** A day of an agent, from midnight. */
const planDay = (plan: Plan, random: Random, { agentId, dayMs: from }: Shift): void => {
  const goesMs = from + closes + between(random, -300, 60) * 1_000;
  let freeMs = from + opens + between(random, -300, 300) * 1_000;
  plan.changes.push({ atMs: freeMs, agentId, state: 'READY' });
  for (;;) {
    const atMs = nextCallMs(random, freeMs + 1_000);
    if (atMs >= goesMs) break;
    freeMs = call(plan, random, { agentId, atMs });
  }
  plan.changes.push({ atMs: Math.max(freeMs, goesMs), agentId, state: undefined });
};

interface Shift {
  readonly agentId: string;
  readonly dayMs: number;
}

/** A week of a centre that is closed at night and on Sunday. */
const planWeek = (agents: number, random: Random): Plan => {
  const plan: Plan = { changes: [], posts: [] };
  for (let day = 0; day < 6; day++)
    for (let index = 0; index < agents; index++)
      planDay(plan, random, { agentId: `agent-${index}`, dayMs: monday + day * dayMs });
  // On Sunday two colleagues telephone with each other, which the service never posts.
  const sunday = monday + 6 * dayMs + opens;
  for (const agentId of ['agent-0', 'agent-1']) {
    for (let turn = 0; turn < 12; turn++)
      plan.changes.push({ atMs: sunday + turn * 5 * minuteMs, agentId, state: turn % 2 === 0 ? 'READY' : 'INCALL' });
    plan.changes.push({ atMs: sunday + 90 * minuteMs, agentId, state: undefined });
  }
  return plan;
};

/** What happens to the plan. */
interface Week {
  readonly seed: number;
  /** From when to when no callback arrives. */
  readonly broken?: readonly (readonly [fromMs: number, toMs: number])[];
}

const account = { ...kolkataAccount, apiKeys: ['demo-key'] };

const neverAborted = new AbortController().signal;

/**
 * The agents' table for a week of polls: it copies and checks nothing, and drops the history, which would fill the memory.
 * Nothing here reads that.
 */
const quickAgentTable = () => {
  const rows = new Map<string, KeyedRow>();
  const nameOf = ({ pk, sk }: RowKey) => `${pk} ${sk}`;
  const put = (row: KeyedRow) => {
    if (!['floor', 'interval', 'feed-change'].includes(String(row['kind']))) rows.set(nameOf(row), row);
  };
  const table: AgentTable = {
    query: async (pk, { from, to } = { from: '', to: '~' }) =>
      [...rows.values()].filter((row) => row.pk === pk && from <= row.sk && row.sk <= to),
    async write(row, { puts, removes } = { puts: [], removes: [] }) {
      if ((rows.get(nameOf(row))?.['version'] ?? 0) !== row.version - 1) return 'conflict';
      for (const each of [row, ...puts]) put(each);
      for (const key of removes) rows.delete(nameOf(key));
      return 'written';
    },
    put: async (list) => list.forEach(put),
    async remove(keys) {
      for (const key of keys) rows.delete(nameOf(key));
    },
  };
  const advance: ReceiptStore['advance'] = async (userName, instant, at) => {
    const row = rows.get(nameOf(receiptsKey(userName))) ?? receiptsKey(userName);
    const before: unknown = Object(row)[instant];
    if (before === undefined || String(before) < at) put({ ...row, [instant]: at });
  };
  return { table, advance };
};

/** What happens before an instant and after those before it, in order. */
const inTurn = <Happening extends { readonly atMs: number }>(all: readonly Happening[]) => {
  const sorted = all.toSorted((a, b) => a.atMs - b.atMs);
  let next = 0;
  return (untilMs: number): readonly Happening[] => {
    const from = next;
    while ((sorted[next]?.atMs ?? untilMs) < untilMs) next++;
    return sorted.slice(from, next);
  };
};

/** Hours in which nothing happens are polled at their beginning and at their end alone: the rest of a night is the same. */
const isMidnight = ({ changes, posts }: Plan) => {
  const busy = new Set(
    [...changes, ...posts].flatMap(({ atMs }) => [-1, 0, 1, 2].map((half) => Math.floor(atMs / (hourMs / 2)) + half)),
  );
  return (slot: number): boolean => !busy.has(Math.floor(slot / (hourMs / 2)));
};

/** Plays a week second by second where something happens: posts to the receiver, its stream to the publisher, and polls. */
const playWeek = async ({ seed, broken = [] }: Week): Promise<Run> => {
  const random = seededRandom(seed);
  const plan = planWeek(10, random);
  const changesUntil = inTurn(plan.changes);
  const isLost = ({ atMs }: Post) => broken.some(([from, to]) => from <= atMs && atMs < to);
  const postsUntil = inTurn(plan.posts.filter((post) => !isLost(post)));

  const time = manualClock(new Date(monday + 1_000).toISOString());
  const { telemetryOf, run } = metricRecorder(time.clock, deployed);
  const telemetry = telemetryOf('poll-agents');

  const { table, advance } = quickAgentTable();

  const stream: RowChange[] = [];
  const callRows = memoryVersionedRows((before, after) =>
    stream.push({ sequence: String(stream.length), before, after }),
  );
  const faults: unknown[] = [];
  const quiet: Telemetry = {
    count: () => undefined,
    measure: () => undefined,
    fault: (...fault) => faults.push(fault),
  };
  const receive = receiveCallback({
    calls: { record: recordDelivery({ rows: callRows, retentionDays: 730, clock: time.clock }) },
    quarantine: memoryQuarantine(),
    parking: memoryParking(),
    accounts: fixedAccounts([account]),
    telemetry: quiet,
    deadline: () => neverAborted,
    clock: time.clock,
  });
  const publish = publishChanges({ bus: recordingBus(), telemetry: quiet });
  const note = noteReceipts({ receipts: { advance }, clock: time.clock, telemetry: quiet });

  const states = new Map<string, string>();
  let isServiceDown = false;
  const service: TelephonyService = {
    async post() {
      if (isServiceDown || chance(random, 0.005)) return { ok: false, problem: { reason: 'timeout' } };
      return success([...states].map(([AgentId, AgentState]) => ({ AgentId, AgentState })));
    },
  };
  const newProcess = () => {
    const ports = { telemetry, service, table, clock: time.clock, accounts: fixedAccounts([account]) };
    const env = { SNAPSHOT_RETENTION_DAYS: 7, INTERVAL_RETENTION_DAYS: 90 };
    const poll = pollAgents({ ...ports, env, pause: async (ms) => time.advance(ms) });
    return createPollHandler({ poll, telemetry, clock: time.clock });
  };
  let handler = newProcess();

  const isSkipped = isMidnight(plan);
  for (let slot = monday + slotMs; slot < monday + 7 * dayMs; slot += slotMs) {
    if (isSkipped(slot)) continue;
    for (const { atMs, summary } of postsUntil(slot)) {
      time.advance(Math.max(0, atMs - time.now()));
      await receive({ ...formPost(summary), hasValidSecret: false });
      const batch = stream.splice(0);
      const failed = await publish(batch);
      await note(batch, { isHeldUp: failed !== undefined });
    }
    for (const { agentId, state } of changesUntil(slot)) {
      if (state === undefined) states.delete(agentId);
      else states.set(agentId, state);
    }
    time.advance(Math.max(0, slot + 1_000 - time.now()));
    // Lambda replaces processes as it likes.
    if (chance(random, 1 / 200)) handler = newProcess();
    // On Thursday the list of agents cannot be read from before the end of work until after it.
    const sinceEnd = slot - monday - 3 * dayMs - closes;
    isServiceDown = -10 * minuteMs < sinceEnd && sinceEnd < 30 * minuteMs;
    const tick = { attributes: { SentTimestamp: String(time.now() - 1_000) } };
    await handler({ Records: [tick] } as SQSEvent, {} as Context);
  }
  expect(faults).toEqual([]);
  return run();
};

const { template } = synthesise({ context: { kmsKeyArn } });
const deployed = deployedResources(template);
const alarm = only(template, 'AWS::CloudWatch::Alarm', 'MonitoringCallbacksSilent');

/** Random moments at which people work, an hour and a half apart. */
const workingMoments = (count: number, random: Random): readonly number[] => {
  const moments: number[] = [];
  while (moments.length < count) {
    const atMs = monday + between(random, 0, 5) * dayMs + opens + between(random, 20 * 60, 8.5 * 3_600) * 1_000;
    const isFree = [0, 20].every((minutes) => !isQuiet(atMs + minutes * minuteMs));
    if (isFree && moments.every((other) => Math.abs(other - atMs) > 90 * minuteMs)) moments.push(atMs);
  }
  return moments.toSorted((a, b) => a - b);
};

const minutesAfter = (from: number, to: number | undefined) => ((to ?? Number.NaN) - from) / minuteMs;

describe('the alarm for callbacks that stop, over a week of a centre that is closed at night and on Sunday', () => {
  it('is not raised while callbacks come', async () => {
    const week = await playWeek({ seed: 1 });

    expect(week.data.length).toBeGreaterThan(15_000);
    expect(timesRaised(alarm, week)).toEqual([]);
  });

  it('is raised within a quarter of an hour whenever the address breaks while people work', async () => {
    const moments = workingMoments(10, seededRandom(2));
    const week = await playWeek({ seed: 1, broken: moments.map((from) => [from, from + 40 * minuteMs]) });
    const raised = timesRaised(alarm, week);

    expect(raised).toHaveLength(10);
    for (const [index, from] of moments.entries()) {
      expect(minutesAfter(from, raised[index])).toBeGreaterThan(0);
      expect(minutesAfter(from, raised[index])).toBeLessThanOrEqual(15);
    }
  });
});

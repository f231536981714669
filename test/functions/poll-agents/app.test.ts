import type { Context, SQSEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { cachedAccounts } from '../../../functions/adapters/secret-accounts.ts';
import { createPollHandler } from '../../../functions/poll-agents/app.ts';
import { tickEntries, tickLifeSeconds } from '../../../functions/poll-agents/ticks.ts';
import { pollAgents } from '../../../lib/agents/poll-agents.ts';
import { slotSeconds } from '../../../lib/agents/slot.ts';
import { ok } from '../../../lib/core/result.ts';
import { polledAccount } from '../../fixtures/accounts.ts';
import { memoryAgentTable } from '../../support/memory-agent-table.ts';

const now = new Date('2026-11-20T06:00:50.000Z');

const accountsJson = JSON.stringify([
  polledAccount,
  { userName: 'callbacks-only', apiKeys: ['other-key'], timeZone: 'UTC' },
]);

const floor = JSON.stringify({
  status: 'success',
  message: [{ AgentId: 'a1', AgentName: 'Asha', PhoneNumber: '09000000001', AgentState: 'READY', SkillName: 'x, y' }],
});

/** The poller over a table in memory and a service that answers with one agent. */
const setUp = (readJson = async () => accountsJson) => {
  const log: string[] = [];
  const posts: string[] = [];
  const table = memoryAgentTable();
  const clock = () => now;
  const telemetry = jsonTelemetry({ function: 'poll-agents', deployment: 'test' }, (line) => log.push(line));
  const service = {
    post: async ({ url }: { readonly url: string }) => {
      posts.push(url);
      return ok({ status: 200, text: floor });
    },
  };
  const poll = pollAgents({
    clock,
    telemetry,
    table,
    service,
    accounts: cachedAccounts(readJson, { clock, telemetry }),
    pause: async () => undefined,
    retention: { snapshotDays: 7, intervalDays: 90 },
  });
  const handler = createPollHandler({ poll, clock, telemetry });
  /** Hands over ticks that were sent so many seconds ago. */
  const tick = (...agesSeconds: number[]) => {
    const sentAt = (age: number) => ({ attributes: { SentTimestamp: String(now.getTime() - age * 1_000) } });
    return handler({ Records: agesSeconds.map(sentAt) } as unknown as SQSEvent, {} as Context);
  };
  return { log, posts, table, tick };
};

const kinds = (rows: readonly Readonly<Record<string, unknown>>[]) => rows.map(({ kind }) => kind);

const nothingFailed = { batchItemFailures: [] };

describe('poll-agents', () => {
  it('polls the present slot for a tick, and stores the agents', async () => {
    const { posts, table, tick } = setUp();

    expect(await tick(45)).toEqual(nothingFailed);

    expect(posts).toEqual(['https://service.invalid/ca_apis/getAgentLogins']);
    expect(kinds(table.all())).toEqual(expect.arrayContaining(['agent', 'feed', 'interval', 'floor']));
  });

  it('polls for a tick that was sent by a clock ahead of its own', async () => {
    const { posts, tick } = setUp();

    await tick(-3_600);

    expect(posts).toHaveLength(1);
  });

  it('polls once however many ticks arrive together', async () => {
    const { posts, log, tick } = setUp();

    await tick(0, 15, 30, 45);
    await tick(1);

    expect(posts).toHaveLength(1);
    expect(log.map((line) => JSON.parse(line).TicksHandled).filter((count) => count !== undefined)).toEqual([4, 1]);
  });

  it('drops ticks that are 135 seconds old, and polls if there is a younger one among them', async () => {
    const { posts, log, tick } = setUp();

    expect(await tick(135, 150, 3_600)).toEqual(nothingFailed);
    expect(posts).toEqual([]);
    expect(await tick(136, 134.9)).toEqual(nothingFailed);
    expect(posts).toHaveLength(1);

    expect(log.map((line) => JSON.parse(line)).filter(({ message }) => message === 'Ticks handled')).toMatchObject([
      { level: 'info', records: { fresh: 0, dropped: 3 } },
      { level: 'info', records: { fresh: 1, dropped: 1 } },
    ]);
    expect(log.join()).toContain('"TicksDropped":3');
    expect(log.map((line) => JSON.parse(line).TicksHandled).filter((count) => count !== undefined)).toEqual([0, 1]);
  });

  it('writes neither keys nor personal data into its log', async () => {
    const { log, tick } = setUp();

    await tick(0);

    expect(log.join()).not.toMatch(/demo-key|Asha|09000000001/);
  });
});

describe('the ticks of a schedule', () => {
  it('fall into slots of their own, and live long enough to be handled', () => {
    expect(tickEntries.map(({ DelaySeconds }) => DelaySeconds)).toEqual([0, 15, 30, 45, 60, 75, 90, 105]);
    expect(new Set(tickEntries.map(({ Id }) => Id)).size).toBe(8);
    expect(tickLifeSeconds).toBe(135);
    for (const { DelaySeconds } of tickEntries) expect(DelaySeconds + slotSeconds).toBeLessThanOrEqual(tickLifeSeconds);
  });

  it('fit into one call of SQS, with delays that SQS supports', () => {
    expect(tickEntries.length).toBeLessThanOrEqual(10);
    for (const { DelaySeconds } of tickEntries) expect(DelaySeconds).toBeLessThanOrEqual(900);
  });

  it.each([
    ['at the same second of each minute', 0, 60],
    ['at the end of a minute and the beginning of the next', 59, 60],
    ['at the beginning of a minute and the end of the next', 0, 119],
    ['as far apart as possible, off the minute', 7, 126],
  ])('leave no slot without a tick, whenever in its minute the schedule fires: %s', (_title, first, second) => {
    const batches = [first, second].flatMap((at) => tickEntries.map(({ DelaySeconds }) => at + DelaySeconds));
    const served = new Set(batches.map((at) => Math.floor(at / slotSeconds)));

    const [from, to] = [Math.floor(first / slotSeconds), Math.floor((second + 105) / slotSeconds)];
    expect([...served].sort((a, b) => a - b)).toEqual(
      Array.from({ length: to - from + 1 }, (_, index) => from + index),
    );
  });
});

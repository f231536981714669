import type { Context, SQSEvent } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { cachedAccounts } from '../../../functions/adapters/cached-accounts.ts';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import { createHandler } from '../../../functions/poll-agents/handler.ts';
import { tickEntries, tickLifeSeconds } from '../../../functions/poll-agents/ticks.ts';
import { slotSeconds } from '../../../lib/feed/slot.ts';
import { pollAgents } from '../../../lib/poll-agents.ts';
import { ok } from '../../../lib/result.ts';
import { memoryAgentTable } from '../../lib/support/memory-agent-table.ts';

const now = new Date('2026-11-20T06:00:50.000Z');

const accountsJson = JSON.stringify([
  { userName: 'demo', apiKeys: ['demo-key'], baseUrl: 'https://service.invalid' },
  { userName: 'callbacks-only', apiKeys: ['other-key'] },
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
  const telemetry = jsonTelemetry('poll-agents', (line) => log.push(line));
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
    retention: { floorDays: 7, intervalDays: 90 },
  });
  const handler = createHandler({ poll, clock, telemetry });
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
  it('polls the present slot for a tick, and stores who is there', async () => {
    const { posts, table, tick } = setUp();

    expect(await tick(45)).toEqual(nothingFailed);

    expect(posts).toEqual(['https://service.invalid/ca_apis/getAgentLogins']);
    expect(kinds(table.all())).toEqual(expect.arrayContaining(['agent', 'feed', 'interval', 'floor']));
  });

  it('polls once however many ticks come together', async () => {
    const { posts, tick } = setUp();

    await tick(0, 15, 30, 45);
    await tick(1);

    expect(posts).toHaveLength(1);
  });

  it('drops ticks that are a minute old, and polls if there is a younger one among them', async () => {
    const { posts, log, tick } = setUp();

    expect(await tick(60, 75, 3_600)).toEqual(nothingFailed);
    expect(posts).toEqual([]);
    expect(await tick(61, 59.9)).toEqual(nothingFailed);
    expect(posts).toHaveLength(1);

    expect(log.map((line) => JSON.parse(line)).filter(({ message }) => message === 'Ticks served')).toMatchObject([
      { level: 'info', records: { fresh: 0, dropped: 3 } },
      { level: 'info', records: { fresh: 1, dropped: 1 } },
    ]);
    expect(log.join()).toContain('"TicksDropped":3');
  });

  it('asks for no tick again when the accounts cannot be read: it tells the fault, and the next tick comes', async () => {
    const { posts, log, tick } = setUp(async () => 'REPLACE THIS TEXT');

    expect(await tick(0)).toEqual(nothingFailed);

    expect(posts).toEqual([]);
    expect(log.join()).toContain('"where":"accounts"');
  });

  it('writes neither keys nor what is personal into its log', async () => {
    const { log, tick } = setUp();

    await tick(0);

    expect(log.join()).not.toMatch(/demo-key|Asha|09000000001/);
  });
});

describe('the ticks of a schedule', () => {
  it('fall into slots of their own, and live long enough to be served', () => {
    expect(tickEntries.map(({ DelaySeconds }) => DelaySeconds)).toEqual([0, 15, 30, 45]);
    expect(new Set(tickEntries.map(({ Id }) => Id)).size).toBe(4);
    for (const { DelaySeconds } of tickEntries) expect(DelaySeconds + slotSeconds).toBeLessThanOrEqual(tickLifeSeconds);
  });
});

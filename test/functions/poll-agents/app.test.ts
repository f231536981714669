import { describe, expect, it } from 'vitest';
import { slotSeconds } from '../../../functions/poll-agents/rate-limit.ts';
import { tickEntries, tickLifeSeconds } from '../../../functions/poll-agents/ticks.ts';
import { maxLoginsBytes } from '../../../lib/agents/get-agent-logins.ts';
import { demoAccount } from '../../../sandbox/sandbox-options.ts';
import { deployment, threeAgents } from '../../deployment/index.ts';
import { startHttpServer } from '../../support/local-servers.ts';
import { deployedFunction } from '../../support/run-here.ts';

/** The poller, and ticks that were sent so many seconds ago. */
const setUp = async () => {
  const d = await deployment({ service: { logins: [threeAgents] } });
  const now = Date.parse(d.now());
  const tick = (...agesSeconds: readonly number[]) =>
    d.tick(...agesSeconds.map((age) => new Date(now - age * 1_000).toISOString()));
  return { d, tick, requests: () => d.service.requests().length };
};

describe('poll-agents', () => {
  it.each([
    ['was sent 45 seconds ago', 45],
    ['was sent by a clock ahead of its own', -3_600],
  ])('polls the present slot for a tick that %s', async (_title, age) => {
    const { d, tick, requests } = await setUp();
    await tick(age);

    expect(requests()).toBe(1);
    expect(new Set((await d.rows('agents')).map(({ kind }) => kind))).toEqual(
      new Set(['accounts', 'agent', 'feed', 'floor', 'interval']),
    );
  });

  it('polls once however many ticks arrive together', async () => {
    const { d, tick, requests } = await setUp();
    await tick(0, 15, 30, 45);
    await tick(1);

    expect(requests()).toBe(1);
    expect(d.logs()).toMatchObject([{ records: { fresh: 4 } }, { records: { fresh: 1 } }]);
  });

  it('drops ticks that are 135 seconds old, and polls if there is a younger one among them', async () => {
    const { d, tick, requests } = await setUp();
    await tick(135, 150, 3_600);
    expect(requests()).toBe(0);
    await tick(136, 134.9);

    expect(requests()).toBe(1);
    expect(d.logs()).toMatchObject([
      { level: 'info', message: 'Ticks handled', records: { fresh: 0, dropped: 3 } },
      { level: 'info', message: 'Ticks handled', records: { fresh: 1, dropped: 1 } },
    ]);
  });
});

describe('the ticks of a schedule', () => {
  it('fall into slots of their own, and live long enough to be handled', () => {
    expect(tickEntries.map(({ DelaySeconds }) => DelaySeconds)).toEqual([0, 15, 30, 45, 60, 75, 90, 105]);
    expect(new Set(tickEntries.map(({ Id }) => Id)).size).toBe(8);
    expect(tickLifeSeconds).toBe(135);
    for (const { DelaySeconds } of tickEntries) expect(DelaySeconds + slotSeconds).toBeLessThanOrEqual(tickLifeSeconds);
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

it.each([
  ['accepts an answer of the most bytes', maxLoginsBytes, false],
  ['reads no larger answer, which could exceed its memory', maxLoginsBytes + 1, true],
])('the deployed poller %s', async (_title, bytes, isTooLarge) => {
  const { url } = await startHttpServer((_request, response) => {
    response.end(JSON.stringify({ status: 'success', message: [] }).padEnd(bytes));
  });
  const accounts = JSON.stringify([{ ...demoAccount, baseUrl: url, token: { kind: 'none' } }]);
  const written: string[] = [];
  const aws = (_operation: string, input: object) => {
    written.push(JSON.stringify(input));
    return {};
  };
  const { invoke } = await deployedFunction('poll-agents', aws, { CALLFEED_ACCOUNTS: accounts });
  await invoke({ Records: [{ attributes: { SentTimestamp: String(Date.now()) } }] });

  expect(written.some((input) => input.includes('"too-large"'))).toBe(isTooLarge);
  expect(written.some((input) => input.includes('"asOf"'))).toBe(!isTooLarge);
});

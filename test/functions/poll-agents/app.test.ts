import { describe, expect, it } from 'vitest';
import { slotSeconds } from '../../../functions/poll-agents/rate-limit.ts';
import { tickEntries, tickLifeSeconds } from '../../../functions/poll-agents/ticks.ts';
import { deployment, threeAgents } from '../../deployment/index.ts';

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

    const from = Math.floor(first / slotSeconds);
    const to = Math.floor((second + 105) / slotSeconds);
    expect([...served].sort((a, b) => a - b)).toEqual(
      Array.from({ length: to - from + 1 }, (_, index) => from + index),
    );
  });
});

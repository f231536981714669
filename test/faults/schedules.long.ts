import { expect, it } from 'vitest';
import { schedules } from './schedules/part.ts';

it('no random history breaks a guarantee, and enough happens in them', async () => {
  const { failures, figures } = await schedules.run({ seed: 20_261_121, size: 'quick', onProgress: () => undefined });
  const counted = new Map(figures.map(({ what, value }) => [what, value]));

  expect(failures).toEqual([]);
  expect(counted.get('histories of calls')).toBe(100);
  for (const what of [
    ...['regressions', 'calls: deliveries parked', 'calls: events repeated', 'calls: processes that crashed'],
    ...['histories of agents', 'agents: events', 'agents: processes that crashed'],
  ])
    expect(counted.get(what), what).toBeGreaterThan(0);
}, 180_000);

import { expect, it } from 'vitest';
import { schedules } from './schedules/part.ts';

it('plays histories of every model, in which enough happens, and finds no breach', async () => {
  const told: string[] = [];
  const { failures, figures } = await schedules.run({
    seed: 20_261_121,
    size: 'quick',
    onProgress: (line) => told.push(line),
  });
  const counted = new Map(figures.map(({ what, value }) => [what, value]));

  expect(failures).toEqual([]);
  expect(counted.get('histories of calls')).toBe(100);
  for (const what of [
    'kept histories',
    'calls: deliveries parked',
    'calls: events repeated',
    'calls: processes that died',
    'histories of agents',
    'agents: events',
    'agents: processes that died',
    'histories of agents-at-ports',
    'agents-at-ports: events',
  ])
    expect(counted.get(what), what).toBeGreaterThan(0);
});

import { expect, it } from 'vitest';
import { endurance } from './endurance/part.ts';

it('loses nothing under faults and a kill, and keeps memory flat', async () => {
  const lines: string[] = [];
  const { figures, failures } = await endurance.run({ seed: 1, size: 'quick', onProgress: (line) => lines.push(line) });
  const figure = (name: string) => figures.find(({ what }) => what === name)?.value ?? 0;

  expect(failures).toEqual([]);
  expect(lines.join('\n')).toMatch(/killed after \d+ events/);
  expect(figure('distinct deliveries acknowledged')).toBeGreaterThan(50);
  expect(figure('events of calls and participants')).toBeGreaterThan(50);
  expect(figure('posts answered: no answer')).toBeGreaterThan(0);
  expect(figure('down after the kill')).toBeGreaterThan(0);
  expect(figure('polls')).toBeGreaterThan(0);
  for (const what of ['live heap', 'resident memory', 'open files', 'reply, median', 'row to event, median'])
    expect(figure(`${what}: median`)).toBeGreaterThan(0);
}, 240_000);

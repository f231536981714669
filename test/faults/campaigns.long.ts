import { afterAll, beforeAll, expect, it } from 'vitest';
import { dynamodbEndpoint } from '../support/dynamodb-local.ts';
import { crashPoints } from './crash/part.ts';
import { createTestBed, type TestBed } from './crash/scenario.ts';
import { endurance } from './endurance/part.ts';
import { fuzz, outcomes } from './fuzz/part.ts';
import { schedules } from './schedules/part.ts';

/** What `npm run faults -- --quick` runs. */
const settings = { seed: 20_261_121, size: 'quick', onProgress: () => undefined } as const;

const countedIn = (figures: readonly { readonly what: string; readonly value: number }[]) =>
  new Map(figures.map(({ what, value }) => [what, value]));

let testBed: TestBed;

beforeAll(async () => {
  testBed = await createTestBed(await dynamodbEndpoint());
});

afterAll(() => testBed.close());

it('the functions keep all guarantees with a fault or crash of each kind', async () => {
  const { figures, failures } = await crashPoints(testBed, settings);
  const counted = countedIn(figures);

  expect(failures).toEqual([]);
  expect(counted.get('attempts with one fault, at one call or at its two tries')).toBeGreaterThan(30);
  expect(counted.get('attempts that broke a guarantee')).toBe(0);
});

it('no random history breaks a guarantee, and enough happens in them', async () => {
  const { figures, failures } = await schedules.run(settings);
  const counted = countedIn(figures);

  expect(failures).toEqual([]);
  expect(counted.get('histories of calls')).toBe(100);
  for (const what of [
    ...['regressions', 'calls: deliveries parked', 'calls: events repeated', 'calls: processes that crashed'],
    ...['histories of agents', 'agents: events', 'agents: processes that crashed'],
  ])
    expect(counted.get(what), what).toBeGreaterThan(0);
});

it('no fuzzed post or answer breaks a guarantee, and most outcomes are reached', async () => {
  const { figures, failures } = await fuzz.run(settings);
  const counted = countedIn(figures);

  expect(failures).toEqual([]);
  expect(counted.get('histories of requests')).toBe(450);
  expect(outcomes.filter((one) => counted.has(one)).length).toBeGreaterThan(outcomes.length / 2);
  expect(counted.get('requests: stored')).toBeGreaterThan(125);
});

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

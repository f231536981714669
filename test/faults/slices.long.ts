import { afterAll, beforeAll, expect, it } from 'vitest';
import { dynamodbEndpoint } from '../support/dynamodb-local.ts';
import { crashPoints } from './crash/part.ts';
import { createTestBed, type TestBed } from './crash/scenario.ts';
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

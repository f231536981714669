import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dynamodbEndpoint } from '../support/dynamodb-local.ts';
import { crashPoints } from './crash/part.ts';
import { createTestBed, type TestBed } from './crash/scenario.ts';

let testBed: TestBed;

beforeAll(async () => {
  testBed = await createTestBed(await dynamodbEndpoint());
});

afterAll(() => testBed.close());

describe('the functions', () => {
  it('keep all guarantees with a fault or crash of each kind', async () => {
    const { figures, failures } = await crashPoints(testBed, {
      seed: 20_261_121,
      size: 'quick',
      onProgress: () => undefined,
    });

    expect(failures).toEqual([]);
    const counted = Object.fromEntries(figures.map(({ what, value }) => [what, value]));
    expect(counted['attempts with one fault, at one call or at its two tries']).toBeGreaterThan(30);
    expect(counted['attempts that broke a guarantee']).toBe(0);
  }, 180_000);
});

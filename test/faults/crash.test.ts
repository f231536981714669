import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dynamodbEndpoint } from '../support/dynamodb-local.ts';
import { crashPoints } from './crash/part.ts';
import { createTestBed, type TestBed } from './crash/run-scenario.ts';

let stage: TestBed;

beforeAll(async () => {
  stage = await createTestBed(await dynamodbEndpoint());
});

afterAll(() => stage.close());

describe('the functions', () => {
  it('keep all guarantees wherever a slice of faults strikes', async () => {
    const { figures, failures } = await crashPoints(stage, {
      seed: 20_261_121,
      size: 'quick',
      onProgress: () => undefined,
    });

    expect(failures).toEqual([]);
    const counted = Object.fromEntries(figures.map(({ what, value }) => [what, value]));
    expect(counted['attempts with one fault, at one call or its two tries']).toBeGreaterThan(30);
    expect(counted['attempts that broke a guarantee']).toBe(0);
  }, 180_000);
});

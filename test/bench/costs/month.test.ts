import { describe, expect, it } from 'vitest';
import { type Counts, sum } from './counts.ts';
import type { Deployed } from './deployed.ts';
import { addQuantities, dollarsOf, gigabyte, monthOf } from './month.ts';

const deployed: Deployed = {
  deployment: 'test',
  subscription: { batchSize: 100, parallelizationFactor: 4 },
  memoryMegabytes: 512,
  accessLogBytes: 0,
  logDays: 30,
  archiveDays: 0,
  servedQueues: 1,
  schedules: 1,
  isTraced: true,
  alarmMetrics: 2,
  dashboards: 1,
  secrets: 1,
  keys: 0,
};

const of = (counts: Partial<Counts> = {}): Counts => sum([1, counts]);
const nothing = of();
const calls = { first: nothing, repeat: nothing, revision: nothing, transferred: nothing, participant: nothing };
const polls = { agents: 20, unchanged: nothing, byAnother: nothing, taken: nothing, changed: new Map([[2, nothing]]) };
const volume = { callsADay: 1_000, agents: 20 };

describe('a month', () => {
  it('has for each call its deliveries: 0.9 plain, 0.1 transferred, 0.5 revised, 1.5 repeated', () => {
    const counted = {
      ...calls,
      first: of({ tableWriteUnits: 1 }),
      transferred: of({ tableWriteUnits: 1_000 }),
      revision: of({ indexWriteUnits: 10_000 }),
      repeat: of({ tableWriteUnits: 100_000 }),
    };
    const { writeUnits } = monthOf(volume, deployed, counted, polls).calls;
    expect(writeUnits).toBeCloseTo(30_000 * (0.9 + 100 + 5_000 + 150_000), 3);
  });

  it('has 172,800 slots, each with a second tick, of which 72,000 are in opening hours', () => {
    const counted = {
      agents: 20,
      unchanged: of({ readUnits: 1 }),
      changed: new Map([[2, of({ readUnits: 1_000 })]]),
      byAnother: of({ readUnits: 1, eventChunks: 1 }),
      taken: of({ tableWriteUnits: 1, pollerRuns: 1 }),
    };
    expect(monthOf(volume, deployed, calls, counted).agents).toMatchObject({
      readUnits: 100_800 + 72_000_000,
      eventChunks: 86_400,
      writeUnits: 172_800,
      scheduledCalls: 43_200,
      sqsRequests: 43_200 + 2 * 172_800,
    });
  });

  it('pays for storage until rows expire, and for the backup of the table alone', () => {
    const counted = { ...calls, revision: of({ tableByteDays: 2 * gigabyte, indexByteDays: gigabyte }) };
    const { storedGigabytes, recoverableGigabytes } = monthOf(volume, deployed, counted, polls).calls;
    expect([storedGigabytes, recoverableGigabytes]).toEqual([500 * 3, 500 * 2]);
  });

  it('has traces of one run a second, and of a twentieth of the others', () => {
    const busy = { ...calls, repeat: of({ receiverRuns: 48 }) };
    expect(monthOf(volume, deployed, busy, polls).calls.traces).toBe(1_080_000 + 0.05 * 1_080_000);
    expect(monthOf(volume, { ...deployed, isTraced: false }, busy, polls).calls.traces).toBeUndefined();
  });

  it('has a price for an idle deployment', () => {
    const { fixed } = monthOf(volume, deployed, calls, polls);
    expect(fixed).toMatchObject({ alarmMetrics: 2, dashboards: 1, secrets: 1, sqsRequests: 648_000 });
    expect(dollarsOf(fixed)).toBeGreaterThan(3.6);
  });

  it('costs 62.5 cents for a million write units', () => {
    expect(dollarsOf(addQuantities({ writeUnits: 400_000 }, { writeUnits: 600_000 }))).toBe(0.625);
  });

  it('throws for polls that were not counted', () => {
    expect(() => monthOf(volume, deployed, calls, { ...polls, changed: new Map() })).toThrow(
      'No poll was counted in which 2 agents change',
    );
  });
});

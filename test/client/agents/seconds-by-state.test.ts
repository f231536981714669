import { describe, expect, it } from 'vitest';
import { secondsByState } from '../../../client/agents/seconds-by-state.ts';
import { dayFrom } from '../../../client/arguments/day-from.ts';
import type { AgentStretch } from '../../../client/index.ts';

const stretch = (state: AgentStretch['state'], from: string, seconds?: number): AgentStretch => ({
  account: 'demo',
  agentId: 'asha',
  state,
  since: `2026-11-21T${from}:00.000Z`,
  from: `2026-11-21T${from}:00.000Z`,
  ...(seconds !== undefined && { seconds, to: '2026-11-21T23:00:00.000Z' }),
});
const end = '2026-11-22T00:00:00.000Z';
const stretches = [stretch('ready', '08:00', 600), stretch('acw', '08:10', 60), stretch('ready', '08:11')];

describe('secondsByState', () => {
  it.each([
    ['up to an instant', '2026-11-21T08:12:30.500Z', { ready: 690.5, acw: 60 }],
    ['up to no later than the end of the day', '2026-11-23T00:00:00.000Z', { ready: 600 + 56_940, acw: 60 }],
    ['up to before it began', '2026-11-21T08:00:00.000Z', { ready: 600, acw: 60 }],
    ['not at all', undefined, { ready: 600, acw: 60 }],
  ])('counts an open stretch %s', (_how, upTo, seconds) => {
    expect(secondsByState(stretches, { upTo, end })).toEqual(seconds);
  });

  it('is empty for a day without stretches', () => {
    expect(secondsByState([], { upTo: end, end })).toEqual({});
  });
});

describe('dayFrom', () => {
  it.each([
    ['2026-11-21', 'Asia/Kolkata', '2026-11-20T18:30:00.000Z', 24],
    ['2026-12-31', 'UTC', '2026-12-31T00:00:00.000Z', 24],
    ['2026-03-29', 'Europe/London', '2026-03-29T00:00:00.000Z', 23],
    ['2026-10-25', 'Europe/London', '2026-10-24T23:00:00.000Z', 25],
    // Clocks skip midnight.
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z', 23],
  ])('bounds %s in %s, which has its own length', (day, zone, start, hours) => {
    const bounds = dayFrom(day, zone);

    expect(bounds.start).toBe(start);
    expect((Date.parse(bounds.end) - Date.parse(bounds.start)) / 3_600_000).toBe(hours);
  });
});

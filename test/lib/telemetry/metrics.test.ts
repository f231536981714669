import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  agentStateMetric,
  agentStateMetrics,
  type Counter,
  emitChangeMetrics,
  type Gauge,
  type LoggedMetric,
  loggedMetrics,
  type Metric,
  metrics,
  unitOf,
} from '../../../lib/telemetry/metrics.ts';
import { loggedInStates } from '../../../lib/telephony/agent-fields.ts';
import { recordingTelemetry } from '../../support/memory-ports.ts';

describe('metrics', () => {
  it('have unique names in Pascal case', () => {
    const names: readonly string[] = [...Object.keys(metrics), ...agentStateMetrics, ...loggedMetrics];

    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^([A-Z][a-z]+)+$/.test(name))).toEqual([]);
  });

  it('have Seconds in their name if that is their unit, and only then', () => {
    for (const [name, unit] of Object.entries(metrics)) expect(name.endsWith('Seconds')).toBe(unit === 'Seconds');
  });

  it('are counters or gauges, never both; and no function emits a metric of the API’s log', () => {
    expectTypeOf<Counter & Gauge>().toEqualTypeOf<never>();
    expectTypeOf<'FeedAgeSeconds' | 'AgentsInCall' | 'AgentsUnknown'>().toExtend<Gauge>();
    expectTypeOf<'AccountsUnreadable'>().toExtend<Counter>();
    expectTypeOf<LoggedMetric & Metric>().toEqualTypeOf<never>();
  });

  it.each([
    ['TicksHandled', 'Count'],
    ['PublishLagSeconds', 'Seconds'],
    ['AgentsInCall', 'Count'],
  ] as const)('have a unit: %s has %s', (metric, unit) => {
    expect(unitOf(metric)).toBe(unit);
  });
});

describe('agentStateMetrics', () => {
  it('has one metric for each state of a logged-in agent', () => {
    expect(agentStateMetrics).toEqual(loggedInStates.map((state) => agentStateMetric(state)));
    expect(new Set(agentStateMetrics).size).toBe(loggedInStates.length);
  });

  it.each([
    ['ready', 'AgentsReady'],
    ['in-call', 'AgentsInCall'],
    ['unknown', 'AgentsUnknown'],
  ] as const)('names the metric of %s %s', (state, metric) => {
    expect(agentStateMetric(state)).toBe(metric);
  });
});

describe('emitChangeMetrics', () => {
  it.each([
    [
      'counts written rows, and zeros of what is published',
      3,
      { ChangesWritten: 3, EventsPublished: 0, RowsSkipped: 0 },
    ],
    ['emits nothing where nothing was written', 0, {}],
  ])('%s', (_title, changes, counts) => {
    const telemetry = recordingTelemetry();
    emitChangeMetrics(telemetry, changes);

    expect(telemetry.counts).toEqual(counts);
  });
});

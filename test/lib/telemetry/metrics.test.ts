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
  it('are named once each, in one style', () => {
    const names: readonly string[] = [...Object.keys(metrics), ...agentStateMetrics, ...loggedMetrics];

    expect(new Set(names).size).toBe(names.length);
    expect(names.filter((name) => !/^([A-Z][a-z]+)+$/.test(name))).toEqual([]);
  });

  it('say their unit in their name, if it is another than a number', () => {
    for (const [name, unit] of Object.entries(metrics)) expect(name.endsWith('Seconds')).toBe(unit === 'Seconds');
  });

  it('are counted or measured, never both', () => {
    expectTypeOf<Counter & Gauge>().toEqualTypeOf<never>();
    expectTypeOf<'FeedAgeSeconds' | 'AgentsInCall' | 'AgentsUnknown'>().toExtend<Gauge>();
    expectTypeOf<'AccountsUnreadable'>().toExtend<Counter>();
  });

  it('cannot be emitted by a function, if they are counted in a log', () => {
    expectTypeOf<LoggedMetric & Metric>().toEqualTypeOf<never>();
  });

  it.each([
    ['TicksHandled', 'Count'],
    ['PublishLagSeconds', 'Seconds'],
    ['AgentsInCall', 'Count'],
  ] as const)('have a unit: %s is in %s', (metric, unit) => {
    expect(unitOf(metric)).toBe(unit);
  });
});

describe('agentStateMetrics', () => {
  it('has one for each state that an agent who is there can be in', () => {
    expect(agentStateMetrics).toEqual(loggedInStates.map((state) => agentStateMetric(state)));
    expect(new Set(agentStateMetrics).size).toBe(loggedInStates.length);
  });

  it.each([
    ['ready', 'AgentsReady'],
    ['in-call', 'AgentsInCall'],
    ['unknown', 'AgentsUnknown'],
  ] as const)('tells %s as %s', (state, metric) => {
    expect(agentStateMetric(state)).toBe(metric);
  });
});

describe('tellChanges', () => {
  it('counts what the publisher has to hear of, and that it made no event yet', () => {
    const telemetry = recordingTelemetry();
    emitChangeMetrics(telemetry, 3);

    expect(telemetry.counts).toEqual({ ChangesWritten: 3, EventsPublished: 0 });
  });

  it('says nothing where nothing was written', () => {
    const telemetry = recordingTelemetry();
    emitChangeMetrics(telemetry, 0);

    expect(telemetry.counts).toEqual({});
  });
});

import { describe, expect, expectTypeOf, it } from 'vitest';
import { floorStates } from '../../lib/agent-login/states.ts';
import {
  agentStateMetric,
  agentStateMetrics,
  type Counter,
  type Gauge,
  type LoggedMetric,
  loggedMetrics,
  type Metric,
  metrics,
  unitOf,
} from '../../lib/metrics.ts';

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
    ['TicksServed', 'Count'],
    ['PublishLagSeconds', 'Seconds'],
    ['AgentsInCall', 'Count'],
  ] as const)('have a unit: %s is in %s', (metric, unit) => {
    expect(unitOf(metric)).toBe(unit);
  });
});

describe('agentStateMetrics', () => {
  it('has one for each state that an agent who is there can be in', () => {
    expect(agentStateMetrics).toEqual(floorStates.map((state) => agentStateMetric(state)));
    expect(new Set(agentStateMetrics).size).toBe(floorStates.length);
  });

  it.each([
    ['ready', 'AgentsReady'],
    ['in-call', 'AgentsInCall'],
    ['unknown', 'AgentsUnknown'],
  ] as const)('tells %s as %s', (state, metric) => {
    expect(agentStateMetric(state)).toBe(metric);
  });
});

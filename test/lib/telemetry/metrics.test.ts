import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  agentStateMetric,
  agentStateMetrics,
  type Counter,
  emitChangeMetrics,
  emitUnknownWordMetrics,
  type Gauge,
  type LoggedMetric,
  loggedMetrics,
  type Metric,
  metrics,
  unitOf,
  unknownWordMetric,
  wordFacts,
} from '../../../lib/telemetry/metrics.ts';
import { callFields, participantFields } from '../../../lib/telephony/call-fields.ts';
import { loggedInStates } from '../../../lib/telephony/vocabularies.ts';
import { recordingTelemetry } from '../../support/memory-ports.ts';

describe('metrics', () => {
  it('have unique names in Pascal case', () => {
    const names: readonly string[] = [
      ...Object.keys(metrics),
      ...agentStateMetrics,
      ...wordFacts.map(unknownWordMetric),
      ...loggedMetrics,
    ];

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

describe('emitUnknownWordMetrics', () => {
  it('has a metric for each fact with a vocabulary, of calls and participants', () => {
    const declared = [...Object.values(callFields), ...Object.values(participantFields)];
    const facts = declared.flatMap((field) => ('vocabulary' in field ? [field.fact] : []));

    expect([...wordFacts].sort()).toEqual([...new Set<string>(facts)].sort());
    expect(unknownWordMetric('hangupBy')).toBe('UnknownHangupBy');
  });

  it.each<[string, object, object]>([
    ['nothing of known words', { status: 'answered', agentStatuses: ['answered'] }, {}],
    [
      'nothing of a known word with a parameter',
      { dialStatuses: ['queue-time-exceeded'], dialStatusesAsSent: ['QTimeExceeded{60}'] },
      {},
    ],
    [
      'nothing of a text that reads “unknown”, or of a fact that was sent in another form',
      { skillName: 'unknown', status: 'unknown', dispositions: ['unknown'], dispositionsAsSent: [1] },
      {},
    ],
    ['a record once', { status: 'unknown', statusAsSent: 'x' }, { RecordsWithUnknownWords: 1, UnknownStatus: 1 }],
    [
      'each fact once, whatever number of its words is unknown',
      {
        hangupBy: 'unknown',
        hangupByAsSent: 'x',
        agentStatuses: ['unknown', 'answered', 'unknown'],
        agentStatusesAsSent: ['x', 'answered', 'y'],
      },
      { RecordsWithUnknownWords: 1, UnknownHangupBy: 1, UnknownAgentStatuses: 1 },
    ],
    ['no metric of a fact that has none', { other: 'unknown', otherAsSent: 'x' }, { RecordsWithUnknownWords: 1 }],
  ])('counts %s', (_title, facts, counts) => {
    const telemetry = recordingTelemetry();
    emitUnknownWordMetrics(telemetry, facts as never);

    expect(telemetry.counts).toEqual(counts);
  });
});

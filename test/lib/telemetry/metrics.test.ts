import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type Counter,
  emitPublishMetrics,
  type Gauge,
  loggedMetric,
  type Metric,
  metrics,
} from '../../../lib/telemetry/metrics.ts';
import { recordingTelemetry } from '../../support/memory-ports.ts';

describe('metrics', () => {
  it('have names in Pascal case', () => {
    const names = [...Object.keys(metrics), loggedMetric];

    expect(names.filter((name) => !/^([A-Z][a-z]+)+$/.test(name))).toEqual([]);
  });

  it('have Seconds in their name if that is their unit, and only then', () => {
    for (const [name, unit] of Object.entries(metrics)) expect(name.endsWith('Seconds')).toBe(unit === 'Seconds');
  });

  it('are counters or gauges, never both; and no function emits the metric of the API’s log', () => {
    expectTypeOf<Counter & Gauge>().toEqualTypeOf<never>();
    expectTypeOf<Counter | Gauge>().toEqualTypeOf<Metric>();
    expectTypeOf<'FeedAgeSeconds'>().toExtend<Gauge>();
    expectTypeOf<'AccountRejected'>().toExtend<Counter>();
    expectTypeOf<typeof loggedMetric & Metric>().toEqualTypeOf<never>();
  });
});

describe('emitPublishMetrics', () => {
  it.each([
    ['zeros, for the alarm that counts the runs', {}, { EventsPublished: 0, RowsSkipped: 0 }],
    ['published events', { published: 3 }, { EventsPublished: 3, RowsSkipped: 0 }],
    ['skipped rows', { skipped: 1 }, { EventsPublished: 0, RowsSkipped: 1 }],
  ])('counts %s', (_what, found, counts) => {
    const telemetry = recordingTelemetry();
    emitPublishMetrics(telemetry, found);

    expect(telemetry.counts).toEqual(counts);
  });
});

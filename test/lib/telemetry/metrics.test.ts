import { describe, expect, expectTypeOf, it } from 'vitest';
import { type Counter, counter, emitPublishMetrics, type Gauge, gauge } from '../../../lib/telemetry/metrics.ts';
import { recordingTelemetry } from '../../support/memory-ports.ts';

describe('a metric', () => {
  it('has its unit: a gauge has Seconds in its name', () => {
    expect([counter('EventsPublished'), gauge('FeedAgeSeconds')]).toEqual([
      { name: 'EventsPublished', unit: 'Count' },
      { name: 'FeedAgeSeconds', unit: 'Seconds' },
    ]);
    // @ts-expect-error A gauge measures seconds.
    expect(gauge('FeedAge').unit).toBe('Seconds');
  });

  it('is a counter or a gauge, never both', () => {
    expectTypeOf<Counter & Gauge>().toEqualTypeOf<never>();
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

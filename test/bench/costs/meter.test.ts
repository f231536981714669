import { describe, expect, it } from 'vitest';
import { startMeter } from '../../../bench/costs/meter.ts';

const meterAtNothing = () =>
  startMeter({ endpoint: 'http://127.0.0.1:9', tables: {}, clock: () => new Date(0), deployment: 'test' });

describe('a meter', () => {
  it('takes what was added since the last time', () => {
    const meter = meterAtNothing();
    meter.add({ receiverRuns: 1 });
    meter.add({ receiverRuns: 2, apiRequests: 1 });

    expect(meter.take()).toMatchObject({ receiverRuns: 3, apiRequests: 1, pollerRuns: 0 });
    expect(meter.take()).toMatchObject({ receiverRuns: 0, apiRequests: 0 });
    meter.stop();
  });

  it('counts the bytes of log lines without the line’s end', () => {
    const meter = meterAtNothing();
    meter.telemetry('publish-changes').log({ level: 'info', message: 'Ticks served' });

    const time = new Date(0).toISOString();
    const line = { time, function: 'publish-changes', level: 'info', message: 'Ticks served' };
    expect(meter.take().logBytes).toBe(JSON.stringify(line).length);
    meter.stop();
  });

  it('gives no counts of work that failed', () => {
    const meter = meterAtNothing();
    meter.telemetry('publish-changes').fault('bus', new Error('down'));

    expect(() => meter.take()).toThrow('What was counted is not what is usual');
    meter.stop();
  });
});

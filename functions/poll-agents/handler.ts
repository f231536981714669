import middy from '@middy/core';
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Clock } from '../../lib/ports.ts';
import type { BufferedTelemetry } from '../adapters/json-telemetry.ts';
import { tickLifeSeconds } from './ticks.ts';

interface Services {
  readonly poll: () => Promise<void>;
  readonly clock: Clock;
  readonly telemetry: BufferedTelemetry;
}

/**
 * Ticks in, one poll of the present slot out, however many of them there are. None is asked for again: whatever became
 * of the poll, the next tick is on its way.
 */
export const createHandler = ({ poll, clock, telemetry }: Services) =>
  middy<SQSEvent, SQSBatchResponse>({ requestEnd: telemetry.flush }).handler(async ({ Records }) => {
    const now = clock();
    const fresh = Records.filter((tick) => ageSeconds(tick, now) < tickLifeSeconds).length;
    const dropped = Records.length - fresh;
    if (dropped > 0) telemetry.count('TicksDropped', dropped);
    if (fresh > 0) await poll();
    telemetry.count('TicksServed', fresh);
    telemetry.log({ level: 'info', message: 'Ticks served', records: { fresh, dropped } });
    return { batchItemFailures: [] };
  });

/** Since the tick was sent, the delay before it is handed over included. */
const ageSeconds = ({ attributes }: SQSRecord, now: Date): number =>
  (now.getTime() - Number(attributes.SentTimestamp)) / 1000;

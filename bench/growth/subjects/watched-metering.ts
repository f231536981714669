import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { jsonTelemetry } from '../../../functions/adapters/json-telemetry.ts';
import type { Metering } from '../../costs/meter.ts';

/** What a function is built on of which time and memory are measured. */
export interface WatchedMetering extends Metering {
  /** Throws unless this was in what the function wrote since the last time, and nothing of a fault. */
  check(text: string): void;
}

/** Nothing is counted; the log is looked at, so that work which failed is not taken for fast work. */
export const watchedMetering = (client: DynamoDBClient): WatchedMetering => {
  const lines: string[] = [];
  return {
    client,
    add: () => undefined,
    telemetry: (name) => jsonTelemetry({ function: name, deployment: 'bench' }, (line) => lines.push(line)),
    check(text) {
      const written = lines.splice(0).join('');
      if (!written.includes(text) || written.includes('"level":"error"'))
        throw new Error(`The function did not do what is measured; it wrote:\n${written}`);
    },
  };
};

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type BufferedTelemetry, jsonTelemetry } from '../../functions/adapters/json-telemetry.ts';
import type { FunctionName } from '../../functions/timeouts.ts';
import type { Clock } from '../../lib/ports.ts';
import { type Counts, sum } from './counts.ts';
import { meteredDynamodb, type RunningTables } from './metered-dynamodb.ts';
import { storedBytes } from './stored-bytes.ts';
import type { RowWrite } from './write-units.ts';

/** What a function is built on that is measured. */
export interface Metering {
  readonly client: DynamoDBClient;
  /** The log and metrics of a function. */
  telemetry(name: FunctionName): BufferedTelemetry;
  add(counts: Partial<Counts>): void;
}

/** Counts what functions take that are built on it. */
export interface Meter extends Metering {
  /** The rows that were changed since the last time, in order. */
  changes(): readonly RowWrite[];
  /** What was taken since the last time. Throws if something failed on the way: then it is no usual work. */
  take(): Counts;
  stop(): void;
}

/** What a meter reads, and what it writes into logs. */
export interface MeterSettings extends RunningTables {
  readonly clock: Clock;
  readonly deployment: string;
}

/** A meter at empty tables of a running DynamoDB Local. */
export const startMeter = ({ clock, deployment, ...running }: MeterSettings): Meter => {
  const parts: Partial<Counts>[] = [];
  const changed: RowWrite[] = [];
  const troubles: string[] = [];

  const client = meteredDynamodb(running, {
    onCommand(units, written) {
      parts.push({ dynamodbCalls: 1 }, units, ...written.map((write) => storedBytes(write, clock())));
      changed.push(...written);
    },
    onContradiction: (message) => troubles.push(message),
  });

  const write = (line: string): void => {
    if (line.includes('"level":"error"')) troubles.push(line);
    parts.push({ logBytes: Buffer.byteLength(line.trimEnd()) });
  };

  return {
    client,
    stop: () => client.destroy(),
    telemetry: (name) => jsonTelemetry({ function: name, deployment }, write),
    add: (counts) => void parts.push(counts),
    changes: () => changed.splice(0),
    take() {
      if (troubles.length > 0) throw new Error(`What was counted is not what is usual:\n${troubles.join('\n')}`);
      return sum(...parts.splice(0).map((part) => [1, part] as const));
    },
  };
};

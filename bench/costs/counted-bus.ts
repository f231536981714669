import { EventBridgeClient, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import * as z from 'zod';
import { localClient } from '../../sandbox/local-client.ts';
import type { Counts } from './counts.ts';

const Input = z.object({ Entries: z.array(z.custom<PutEventsRequestEntry>()) });

const chunkBytes = 64 * 1024;

/** What the time of an entry counts. https://docs.aws.amazon.com/eventbridge/latest/userguide/eb-putevent-size.html */
const timeBytes = 14;

/** A client of EventBridge that sends nothing: it tells what every event takes, and answers that all were taken. */
export const countedBus = (add: (counts: Partial<Counts>) => void): EventBridgeClient => {
  const client = new EventBridgeClient(localClient('http://bus.invalid'));
  client.middlewareStack.add(
    () => async (args) => {
      const { Entries } = Input.parse(args.input);
      add({ busCalls: 1 });
      for (const entry of Entries) add(countsOf(entry));
      return { response: undefined, output: { $metadata: {}, Entries: Entries.map(() => ({ EventId: anyId })) } };
    },
    { step: 'initialize', name: 'count' },
  );
  return client;
};

const countsOf = (entry: PutEventsRequestEntry): Partial<Counts> => ({
  events: 1,
  eventChunks: Math.ceil(entryBytes(entry) / chunkBytes),
  eventBytes: envelopeBytes(entry),
});

const entryBytes = ({ Source = '', DetailType = '', Detail = '' }: PutEventsRequestEntry): number =>
  timeBytes + Buffer.byteLength(Source + DetailType + Detail);

const anyId = '00000000-0000-0000-0000-000000000000';

/** The event as an archive keeps it, and as a subscriber gets it. */
const envelopeBytes = ({ Source, DetailType, Detail = '', Time }: PutEventsRequestEntry): number => {
  const envelope = {
    version: '0',
    id: anyId,
    'detail-type': DetailType,
    source: Source,
    account: '000000000000',
    time: Time?.toISOString(),
    region: 'us-east-1',
    resources: [],
    detail: {},
  };
  return Buffer.byteLength(JSON.stringify(envelope) + Detail) - '{}'.length;
};

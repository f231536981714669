import { EventBridgeClient, PutEventsCommand, type PutEventsRequestEntry } from '@aws-sdk/client-eventbridge';
import { expect, it } from 'vitest';
import { busEndpoint } from '../../sandbox/aws/event-bus.ts';
import { createFaultBoard } from '../../sandbox/frame/faults.ts';
import { serveForTest } from '../support/local-servers.ts';

const entry = { Source: 'callfeed', DetailType: 'Any', Detail: '{}', EventBusName: 'bus' };
/** An entry of so many bytes. A letter with an accent has two. */
const entryOf = (bytes: number, letter: string): PutEventsRequestEntry => {
  const length = bytes - 'callfeed'.length - 'Any'.length - '{"a":""}'.length;
  return { ...entry, Detail: JSON.stringify({ a: letter.repeat(length / Buffer.byteLength(letter)) }) };
};
const most = 256 * 1024;

it.each<[string, readonly PutEventsRequestEntry[], string]>([
  ['ten entries', Array(10).fill(entry), Array(10).fill('accepted').join()],
  ['eleven entries', Array(11).fill(entry), 'ValidationException'],
  ['as many bytes as a request may have', [entryOf(most - 1, 'e')], 'accepted'],
  ['as many bytes, of letters with accents', [entryOf(most - 1, 'é')], 'accepted'],
  ['a byte too much', [entryOf(most + 1, 'e')], 'ValidationException'],
  ['too many bytes of letters with accents', [entryOf(most + 1, 'é')], 'ValidationException'],
  ['too many bytes in two entries', Array(2).fill(entryOf(most / 2 + 1, 'é')), 'ValidationException'],
  ['an entry for another bus', [entry, { ...entry, EventBusName: 'other' }], 'accepted,ResourceNotFoundException'],
  ['an entry as of AWS', [{ ...entry, Source: 'aws.sqs' }, entry], 'NotAuthorizedForSourceException,accepted'],
  ['a detail that is no object', [{ ...entry, Detail: '[]' }], 'MalformedDetail'],
  ['an entry without a detail', [{ ...entry, Detail: undefined }], 'InvalidArgument'],
])('the bus accepts and refuses as EventBridge does: %s', async (_what, Entries, outcome) => {
  const events: unknown[] = [];
  const endpoint = busEndpoint({ name: 'bus', onEvents: (some) => events.push(...some) }, createFaultBoard());
  const served = await serveForTest(endpoint);
  const client = new EventBridgeClient(served.client);
  const answer = await client.send(new PutEventsCommand({ Entries: [...Entries] })).then(
    ({ Entries: outcomes = [] }) => outcomes.map(({ ErrorCode = 'accepted' }) => ErrorCode).join(),
    ({ name }: Error) => name,
  );
  client.destroy();
  await served.close();

  expect(answer).toBe(outcome);
  expect(events).toHaveLength(outcome.split(',').filter((one) => one === 'accepted').length);
});

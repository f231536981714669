import { text } from 'node:stream/consumers';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Stack } from 'aws-cdk-lib';
import { SqsQueue } from 'aws-cdk-lib/aws-events-targets';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Callfeed, type CallfeedEvents } from 'callfeed/cdk';
import { createCallfeedClient } from 'callfeed/client';
import { type Call, type CallfeedEvent, type EventOf, parseEvent } from 'callfeed/contract';

// What subscribers and readers write has to compile, and each of their mistakes must not.

const describeCall = ({ detail }: EventOf<'Call Summary Recorded'>): string => {
  const { callId, call } = detail;
  // @ts-expect-error an unknown field of an event
  process.stdout.write(call.staus);
  return `${callId} ${call.status ?? 'no status'} after ${call.callDurationSeconds ?? 0} s`;
};

const event: CallfeedEvent = parseEvent(JSON.parse(await text(process.stdin)));
if (event['detail-type'] === 'Call Summary Recorded') process.stdout.write(describeCall(event));
// @ts-expect-error an unknown type of event
if (event['detail-type'] === 'Call Recorded') process.stdout.write(event.detail.id);

const dynamodb = new DynamoDBClient();
const tables = { calls: 'callfeed-calls', agents: 'callfeed-agents' };
const callfeed = createCallfeedClient({ dynamodb, tables, account: 'demo' });
// @ts-expect-error an unknown table
createCallfeedClient({ dynamodb, tables: { ...tables, call: 'callfeed-calls' }, account: 'demo' });

const call: Call | undefined = (await callfeed.call('1'))?.call;
const { freshness } = await callfeed.floor();
process.stdout.write(`${call?.status} by ${call?.agentIds}; floor: ${freshness}`);
// @ts-expect-error an unknown field of a row
process.stdout.write(`${call?.agentId}`);
// @ts-expect-error an unknown method of the client
await callfeed.flor();

export const subscribe = (callfeed: CallfeedEvents, stack: Stack): void => {
  const target = new SqsQueue(new Queue(stack, 'Missed'));
  // @ts-expect-error an unknown field in a filter
  callfeed.onCallRecorded(target, { where: { call: { state: ['not-answered'] } } });
  // @ts-expect-error an unknown word in a filter
  callfeed.onCallRecorded(target, { where: { call: { status: ['not-answred'] } } });
  // @ts-expect-error an unknown setting
  new Callfeed(stack, 'Callfeed', { callRetention: 400 });
};

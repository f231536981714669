import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { Parked } from '../../lib/callback/parked.ts';
import { functionOf } from '../cloud/stack-resources.ts';
import { whileNotWoken } from '../cloud/while-not-woken.ts';
import { account } from '../examples.ts';
import { has, holds, same } from '../runner/facts.ts';
import { until } from '../runner/until.ts';
import type { Stage } from '../stage.ts';
import { postToPark, untilStored, whileTableIsGone } from './park-calls.ts';

const RedrivePolicy = z.object({ maxReceiveCount: z.coerce.number().int().positive() });

/** The next message of a queue, which stays there for whoever asks next. */
const peek = async ({ clients: { sqs } }: Stage, QueueUrl: string): Promise<Message | undefined> => {
  const { Messages: [message] = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0 }));
  return message;
};

/** How often SQS hands a message over before it sets it aside. */
const triesOf = async ({ clients: { sqs } }: Stage, QueueUrl: string): Promise<number> => {
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['RedrivePolicy'] }));
  return RedrivePolicy.parse(JSON.parse(Attributes?.['RedrivePolicy'] ?? '{}')).maxReceiveCount;
};

/** Takes a message as often as recovery may fail with it, after which SQS sets it aside. Returns what it held. */
const takeInVain = async (stage: Stage, queueUrl: string): Promise<string | undefined> => {
  const tries = await triesOf(stage, queueUrl);
  const bodies = new Set<string | undefined>();
  for (let take = 0; take < tries; take += 1) bodies.add((await peek(stage, queueUrl))?.Body);
  same('The number of messages in the parking queue', bodies.size, 1);
  same('What is left in it after so many tries', await peek(stage, queueUrl), undefined);
  return [...bodies][0];
};

/** What cannot be recovered for long is set aside whole, and is stored once somebody has it tried again. */
export const setAside = async (stage: Stage, callId: string): Promise<void> => {
  const { ParkingQueueUrl, ParkingDeadLettersUrl } = stage.outputs;

  await whileNotWoken(stage.clients, await functionOf(stage.clients, 'RecoverCallbacks'), async () => {
    await whileTableIsGone(stage, () => postToPark(stage, callId));
    const parked = await takeInVain(stage, ParkingQueueUrl);
    const { Body } = await until(
      'the call is among the dead letters',
      async () => (await peek(stage, ParkingDeadLettersUrl)) ?? {},
      (letter) => letter.Body !== undefined,
    );
    same('The dead letter', Body, parked);
    checkPayload(Body ?? '', callId);
  });

  await moveBack(stage);
  await untilStored(stage, callId);
};

/** An operator has SQS do this (StartMessageMoveTask), which MiniStack does not know. */
const moveBack = async ({ clients: { sqs }, outputs }: Stage): Promise<void> => {
  const QueueUrl = outputs.ParkingDeadLettersUrl;
  const { Messages: [letter] = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
  await sqs.send(new SendMessageCommand({ QueueUrl: outputs.ParkingQueueUrl, MessageBody: letter?.Body }));
  await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: letter?.ReceiptHandle }));
};

const checkPayload = (body: string, callId: string): void => {
  const item = Parked.parse(JSON.parse(body));
  if (item.kind !== 'delivery') throw new Error(`The dead letter is of kind ${item.kind}, not delivery`);
  has('The call in the dead letter', item.key, { kind: 'call', account: account.userName, callId });
  has('What it says of the call', item.delivery.facts, {
    status: 'answered',
    customerNumber: '09000000044',
    agentIds: ['asha'],
    callDurationSeconds: 120,
  });
  holds('It is without its key', !body.includes(account.apiKey), body);
};

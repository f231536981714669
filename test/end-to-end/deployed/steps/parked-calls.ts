import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import * as z from 'zod';
import { Parked } from '../../../../lib/callback/parked.ts';
import { expectEqual, expectFields, expectThat, until } from '../assertions.ts';
import { rowsUnder, whileMappingDisabled, withEnvironment } from '../clients.ts';
import { functionOf, logLines } from '../deployment.ts';
import { account, callSummary } from '../fixtures.ts';
import type { TestContext } from '../test-context.ts';

const parkedAnswer = { status: 200, body: { stored: 0, duplicates: 0, quarantined: 0, parked: 1 } };

/** For the receiver there is no table while something happens, only a name that leads nowhere. Recovery has the right one. */
const whileTableIsMissing = async ({ clients }: TestContext, act: () => Promise<void>): Promise<void> =>
  withEnvironment(clients, await functionOf(clients, 'ReceiveCallback'), { CALLS_TABLE: 'no-such-table' }, act);

/** Posts a call that cannot be stored, and sees that it is parked. */
const postToPark = async ({ api }: TestContext, callId: string): Promise<void> =>
  expectEqual('The answer to a call while its table is gone', await api.post(callSummary(callId)), parkedAnswer);

/** Waits until a parked call is in its table. */
const untilStored = async ({ clients, outputs }: TestContext, callId: string): Promise<void> => {
  await until(
    `the parked call ${callId} is in its table`,
    () => rowsUnder(clients.dynamodb, outputs.CallsTableName, { pk: `demo#${callId}` }),
    (rows) => rows.length === 1,
  );
};

/** A call that comes while the table is gone is taken, and is in the table once recovery has been there. */
export const parkCalls = async (stage: TestContext, callId: string): Promise<void> => {
  await whileTableIsMissing(stage, () => postToPark(stage, callId));
  await untilStored(stage, callId);

  // The receiver's role ends at its own table, so that AWS does not even say whether there is another.
  const faults = (await logLines(stage)).filter((line) => line.includes('"where":"call-store"'));
  expectThat(
    'The role may read no other table',
    faults.some((line) => line.includes('AccessDenied')),
    faults,
  );
};

const RedrivePolicy = z.object({ maxReceiveCount: z.coerce.number().int().positive() });

/** The next message of a queue, which stays there for whoever asks next. */
const peek = async ({ clients: { sqs } }: TestContext, QueueUrl: string): Promise<Message | undefined> => {
  const { Messages: [message] = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0 }));
  return message;
};

/** How often SQS hands a message over before it sets it aside. */
const maxReceiveCountOf = async ({ clients: { sqs } }: TestContext, QueueUrl: string): Promise<number> => {
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['RedrivePolicy'] }));
  return RedrivePolicy.parse(JSON.parse(Attributes?.['RedrivePolicy'] ?? '{}')).maxReceiveCount;
};

/** Takes a message as often as recovery may fail with it, after which SQS sets it aside. Returns what it held. */
const exhaustReceives = async (stage: TestContext, queueUrl: string): Promise<string | undefined> => {
  const tries = await maxReceiveCountOf(stage, queueUrl);
  const bodies = new Set<string | undefined>();
  for (let take = 0; take < tries; take += 1) bodies.add((await peek(stage, queueUrl))?.Body);
  expectEqual('The number of messages in the parking queue', bodies.size, 1);
  expectEqual('What is left in it after so many tries', await peek(stage, queueUrl), undefined);
  return [...bodies][0];
};

/** What cannot be recovered for long is set aside whole, and is stored once somebody has it tried again. */
export const deadLetterCall = async (stage: TestContext, callId: string): Promise<void> => {
  const { ParkingQueueUrl, ParkingDeadLettersUrl } = stage.outputs;

  await whileMappingDisabled(stage.clients, await functionOf(stage.clients, 'RecoverCallbacks'), async () => {
    await whileTableIsMissing(stage, () => postToPark(stage, callId));
    const parked = await exhaustReceives(stage, ParkingQueueUrl);
    const { Body } = await until(
      'the call is among the dead letters',
      async () => (await peek(stage, ParkingDeadLettersUrl)) ?? {},
      (letter) => letter.Body !== undefined,
    );
    expectEqual('The dead letter', Body, parked);
    checkPayload(Body ?? '', callId);
  });

  await redrive(stage);
  await untilStored(stage, callId);
};

/** An operator has SQS do this (StartMessageMoveTask), which MiniStack does not know. */
const redrive = async ({ clients: { sqs }, outputs }: TestContext): Promise<void> => {
  const QueueUrl = outputs.ParkingDeadLettersUrl;
  const { Messages: [letter] = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
  await sqs.send(new SendMessageCommand({ QueueUrl: outputs.ParkingQueueUrl, MessageBody: letter?.Body }));
  await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: letter?.ReceiptHandle }));
};

const checkPayload = (body: string, callId: string): void => {
  const item = Parked.parse(JSON.parse(body));
  if (item.kind !== 'delivery') throw new Error(`The dead letter is of kind ${item.kind}, not delivery`);
  expectFields('The call in the dead letter', item.key, { kind: 'call', account: account.userName, callId });
  expectFields('What it says of the call', item.delivery.facts, {
    status: 'answered',
    customerNumber: '09000000044',
    agentIds: ['asha'],
    callDurationSeconds: 120,
  });
  expectThat('It is without its key', !body.includes(account.apiKey), body);
};

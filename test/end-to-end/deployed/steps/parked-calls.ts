import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
} from '@aws-sdk/client-sqs';
import { expect } from 'vitest';
import * as z from 'zod';
import { parkedIn } from '../../../../lib/callback/schema.ts';
import { until } from '../../../support/process-tree.ts';
import { rowsUnder, whileMappingDisabled, withEnvironment } from '../clients.ts';
import { functionOf, logLines } from '../deployment.ts';
import { account, callSummary, type TestContext } from '../test-context.ts';

const parkedAnswer = { status: 200, body: { stored: 0, duplicates: 0, quarantined: 0, parked: 1 } };

/** Runs something while the receiver has the name of a table that does not exist. The recovery has the right name. */
const whileTableIsMissing = async ({ clients }: TestContext, act: () => Promise<void>): Promise<void> =>
  withEnvironment(clients, await functionOf(clients, 'ReceiveCallback'), { CALLS_TABLE: 'no-such-table' }, act);

const postToPark = async ({ api }: TestContext, callId: string): Promise<void> =>
  expect(await api.post(callSummary(callId)), 'The answer to a call while its table is missing').toStrictEqual(
    parkedAnswer,
  );

const untilStored = async ({ clients, outputs }: TestContext, callId: string): Promise<void> => {
  await until(
    `the parked call ${callId} has its row`,
    () => rowsUnder(clients.dynamodb, outputs.CallsTableName, { pk: `demo#${callId}` }),
    (rows) => rows.length === 1,
  );
};

/** A call that arrives while the table is missing is parked, and the recovery stores it. */
export const parkCalls = async (context: TestContext, callId: string): Promise<void> => {
  await whileTableIsMissing(context, () => postToPark(context, callId));
  await untilStored(context, callId);

  // The receiver's role covers its own table only, so AWS does not reveal whether another table exists.
  const errors = (await logLines(context)).filter((line) => line.includes('"where":"call-store"'));
  expect(errors, 'The role may read no other table').toContainEqual(expect.stringContaining('AccessDenied'));
};

const RedrivePolicy = z.object({ maxReceiveCount: z.coerce.number().int().positive() });

/** Receives the next message of a queue without hiding it from the next receiver. */
const peek = async ({ clients: { sqs } }: TestContext, QueueUrl: string): Promise<Message | undefined> => {
  const { Messages: [message] = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0 }));
  return message;
};

const maxReceiveCountOf = async ({ clients: { sqs } }: TestContext, QueueUrl: string): Promise<number> => {
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['RedrivePolicy'] }));
  return RedrivePolicy.parse(JSON.parse(Attributes?.['RedrivePolicy'] ?? '{}')).maxReceiveCount;
};

/** Receives a message as often as the recovery may fail, after which it becomes a dead letter. Returns its body. */
const exhaustReceives = async (context: TestContext, queueUrl: string): Promise<string | undefined> => {
  const receives = await maxReceiveCountOf(context, queueUrl);
  const bodies = new Set<string | undefined>();
  for (let receive = 0; receive < receives; receive += 1) bodies.add((await peek(context, queueUrl))?.Body);
  expect(bodies.size, 'The number of messages in the parking queue').toStrictEqual(1);
  expect(await peek(context, queueUrl), 'What is left in it after so many receives').toStrictEqual(undefined);
  return [...bodies][0];
};

/** A call that cannot be recovered becomes a dead letter, and a redrive stores it. */
export const deadLetterCall = async (context: TestContext, callId: string): Promise<void> => {
  const { ParkingQueueUrl, ParkingDeadLettersUrl } = context.outputs;

  await whileMappingDisabled(context.clients, await functionOf(context.clients, 'RecoverCallbacks'), async () => {
    await whileTableIsMissing(context, () => postToPark(context, callId));
    const parked = await exhaustReceives(context, ParkingQueueUrl);
    const { Body } = await until(
      'the call is among the dead letters',
      async () => (await peek(context, ParkingDeadLettersUrl)) ?? {},
      (letter) => letter.Body !== undefined,
    );
    expect(Body, 'The dead letter').toStrictEqual(parked);
    checkPayload(Body ?? '', callId);
  });

  await redrive(context);
  await untilStored(context, callId);
};

/** Operators use StartMessageMoveTask for this, which MiniStack does not support. */
const redrive = async ({ clients: { sqs }, outputs }: TestContext): Promise<void> => {
  const QueueUrl = outputs.ParkingDeadLettersUrl;
  const { Messages: [letter] = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
  await sqs.send(new SendMessageCommand({ QueueUrl: outputs.ParkingQueueUrl, MessageBody: letter?.Body }));
  await sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle: letter?.ReceiptHandle }));
};

const checkPayload = (body: string, callId: string): void => {
  const item = parkedIn(body);
  if (item?.kind !== 'delivery') throw new Error(`The dead letter is of kind ${item?.kind}, not delivery`);
  expect(item.key, 'The call in the dead letter').toMatchObject({ kind: 'call', account: account.userName, callId });
  expect(item.delivery.facts, 'The facts of the call').toMatchObject({
    status: 'answered',
    customerNumber: '09000000044',
    agentIds: ['asha'],
    callDurationSeconds: 120,
  });
  expect(body, 'The key is not in it').not.toContain(account.apiKey);
};

import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type AwsJson, failure, result } from '../../sandbox/http/aws-json.ts';
import type { Answer } from '../../sandbox/http/serve.ts';
import { md5 } from '../../sandbox/queue/message.ts';
import { type Fate, nothingTaken, type Taken, type WireRequest, type WireService } from './wire-call.ts';

/** An answer, and what the request took. */
export interface Outcome {
  readonly answer: Answer;
  readonly taken: Taken;
}

/** How each service speaks. */
export const protocols: Readonly<Record<WireService, AwsJson>> = {
  dynamodb: { version: '1.0', service: 'DynamoDB_20120810', namespace: 'com.amazonaws.dynamodb.v20120810' },
  eventbridge: { version: '1.1', service: 'AWSEvents', namespace: 'com.amazonaws.events' },
  sqs: { version: '1.0', service: 'AmazonSQS', namespace: 'com.amazonaws.sqs' },
  secretsmanager: { version: '1.1', service: 'secretsmanager', namespace: 'com.amazonaws.secretsmanager' },
};

/** A fault on the service's side. */
export const faultOf = (service: WireService): Answer =>
  failure(protocols[service], 500, 'InternalServerError', 'Internal server error');

const Entries = z.object({
  Entries: z.array(
    z.object({ Source: z.string().default(''), DetailType: z.string().default(''), Detail: z.string().default('') }),
  ),
});
const Message = z.object({ MessageBody: z.string() });
const Messages = z.object({ Entries: z.array(Message.extend({ Id: z.string() })) });

/** A bus that takes every entry but those that the fate has it refuse. */
export const putEvents = (input: unknown, fate: Fate | undefined): Outcome => {
  const entries = Entries.parse(input).Entries.map((entry, index) => ({
    ...entry,
    isTaken: fate !== 'partial' || index > 0,
  }));
  const taken = entries.filter(({ isTaken }) => isTaken);
  return {
    answer: result(protocols.eventbridge, {
      FailedEntryCount: entries.length - taken.length,
      Entries: entries.map(({ isTaken }) =>
        isTaken ? { EventId: randomUUID() } : { ErrorCode: 'InternalFailure', ErrorMessage: 'Refused' },
      ),
    }),
    taken: {
      ...nothingTaken,
      events: taken.map(({ Source, DetailType, Detail }) => ({ source: Source, type: DetailType, detail: Detail })),
    },
  };
};

const sent = ({ MessageBody }: z.infer<typeof Message>) => ({
  MessageId: randomUUID(),
  MD5OfMessageBody: md5(MessageBody),
});

/** What each operation of the queue and of the secrets answers. */
const operations: Readonly<Record<string, (input: unknown, secret: string) => object>> = {
  'sqs SendMessage': (input) => sent(Message.parse(input)),
  'sqs SendMessageBatch': (input) => ({
    Successful: Messages.parse(input).Entries.map((entry) => ({ Id: entry.Id, ...sent(entry) })),
    Failed: [],
  }),
  'secretsmanager GetSecretValue': (_, secret) => ({ ARN: 'arn', Name: 'accounts', SecretString: secret }),
};

/** A queue that takes every message, and one secret. */
export const answerOthers = ({ service, operation, input }: WireRequest, secret: string): Outcome => {
  const answer = operations[`${service} ${operation}`];
  if (answer === undefined) throw new Error(`Nothing here answers ${operation} of ${service}`);
  return { answer: result(protocols[service], answer(input, secret)), taken: nothingTaken };
};

import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type AwsJson, result } from '../../../sandbox/http/aws-json.ts';
import type { Answer } from '../../../sandbox/http/serve.ts';
import { md5 } from '../../../sandbox/queue/message.ts';
import type { Counts } from '../costs/counts.ts';
import type { RowWrite } from '../costs/row-writes.ts';

export type AwsService = 'dynamodb' | 'eventbridge' | 'sqs' | 'secretsmanager';

export interface AwsRequest {
  readonly service: AwsService;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface RecordedRequest extends AwsRequest, Consumption {}

export interface Consumption {
  readonly counts: Partial<Counts>;
  readonly writes: readonly RowWrite[];
}

export const nothingConsumed: Consumption = { counts: {}, writes: [] };

export interface Outcome {
  readonly answer: Answer;
  readonly consumed: Consumption;
}

export const protocols: Readonly<Record<AwsService, AwsJson>> = {
  dynamodb: { version: '1.0', service: 'DynamoDB_20120810', namespace: 'com.amazonaws.dynamodb.v20120810' },
  eventbridge: { version: '1.1', service: 'AWSEvents', namespace: 'com.amazonaws.events' },
  sqs: { version: '1.0', service: 'AmazonSQS', namespace: 'com.amazonaws.sqs' },
  secretsmanager: { version: '1.1', service: 'secretsmanager', namespace: 'com.amazonaws.secretsmanager' },
};

const Entries = z.object({ Entries: z.array(z.unknown()) });
const Message = z.object({ MessageBody: z.string() });
const Messages = z.object({ Entries: z.array(Message.extend({ Id: z.string() })) });

/** A bus that accepts every entry. */
export const putEvents = (input: unknown): Outcome => {
  const entries = Entries.parse(input).Entries;
  return {
    answer: result(protocols.eventbridge, {
      FailedEntryCount: 0,
      Entries: entries.map(() => ({ EventId: randomUUID() })),
    }),
    consumed: { ...nothingConsumed, counts: { events: entries.length } },
  };
};

const sentMessage = ({ MessageBody }: z.infer<typeof Message>) => ({
  MessageId: randomUUID(),
  MD5OfMessageBody: md5(MessageBody),
});

const operations: Readonly<Record<string, (input: unknown, secret: string) => object>> = {
  'sqs SendMessage': (input) => sentMessage(Message.parse(input)),
  'sqs SendMessageBatch': (input) => ({
    Successful: Messages.parse(input).Entries.map((entry) => ({ Id: entry.Id, ...sentMessage(entry) })),
    Failed: [],
  }),
  'secretsmanager GetSecretValue': (_, secret) => ({ ARN: 'arn', Name: 'accounts', SecretString: secret }),
};

/** A queue that accepts every message, and one secret. */
export const answerOthers = ({ service, operation, input }: AwsRequest, secret: string): Outcome => {
  const answer = operations[`${service} ${operation}`];
  if (answer === undefined) throw new Error(`The endpoint does not know ${operation} of ${service}`);
  return { answer: result(protocols[service], answer(input, secret)), consumed: nothingConsumed };
};

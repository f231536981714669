import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type AwsJson, failure, result } from '../../../sandbox/http/aws-json.ts';
import type { Answer } from '../../../sandbox/http/serve.ts';
import { md5 } from '../../../sandbox/queue/message.ts';

/** The services that stand behind the wire, by their names in AWS's addresses. */
export type AwsService = 'dynamodb' | 'eventbridge' | 'sqs' | 'secretsmanager';

/** What a function asks of AWS. */
export interface AwsRequest {
  readonly service: AwsService;
  /** Such as `PutItem`. */
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** An event that the bus took; `detail` is its JSON as it was sent. */
export interface PublishedEvent {
  readonly source: string;
  readonly type: string;
  readonly detail: string;
}

/** What a request took. */
export interface Consumption {
  /** Write units in all, and how many of them the table's indexes took. */
  readonly writeUnits: number;
  readonly indexWriteUnits: number;
  readonly readUnits: number;
  readonly events: readonly PublishedEvent[];
}

/** A request that came, and what it took. */
export type RecordedRequest = AwsRequest & Consumption;

/** Nothing. */
export const nothingConsumed: Consumption = { writeUnits: 0, indexWriteUnits: 0, readUnits: 0, events: [] };

/**
 * What becomes of a request that is not simply answered: `before` is a fault of the service, without effect; `after` has
 * its effect, and the connection is cut; `silent` has no effect and is never answered; of `partial` the bus refuses the
 * first entry while the request succeeds.
 */
export type Fault = 'before' | 'after' | 'silent' | 'partial';

/** Decides what becomes of a request; undefined: it is answered. A promise holds the request back. */
export type FaultFor = (request: AwsRequest) => Fault | undefined | Promise<Fault | undefined>;

/** An answer, and what the request took. */
export interface Outcome {
  readonly answer: Answer;
  readonly taken: Consumption;
}

/** How each service speaks. */
export const protocols: Readonly<Record<AwsService, AwsJson>> = {
  dynamodb: { version: '1.0', service: 'DynamoDB_20120810', namespace: 'com.amazonaws.dynamodb.v20120810' },
  eventbridge: { version: '1.1', service: 'AWSEvents', namespace: 'com.amazonaws.events' },
  sqs: { version: '1.0', service: 'AmazonSQS', namespace: 'com.amazonaws.sqs' },
  secretsmanager: { version: '1.1', service: 'secretsmanager', namespace: 'com.amazonaws.secretsmanager' },
};

/** A fault on the service's side. */
export const serviceError = (service: AwsService): Answer =>
  failure(protocols[service], 500, 'InternalServerError', 'Internal server error');

const Entries = z.object({
  Entries: z.array(
    z.object({ Source: z.string().default(''), DetailType: z.string().default(''), Detail: z.string().default('') }),
  ),
});
const Message = z.object({ MessageBody: z.string() });
const Messages = z.object({ Entries: z.array(Message.extend({ Id: z.string() })) });

/** A bus that takes every entry but those that the fate has it refuse. */
export const putEvents = (input: unknown, fate: Fault | undefined): Outcome => {
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
      ...nothingConsumed,
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
export const answerOthers = ({ service, operation, input }: AwsRequest, secret: string): Outcome => {
  const answer = operations[`${service} ${operation}`];
  if (answer === undefined) throw new Error(`Nothing here answers ${operation} of ${service}`);
  return { answer: result(protocols[service], answer(input, secret)), taken: nothingConsumed };
};

import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ChangeMessageVisibilityCommand, SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { DynamoDBRecord, DynamoDBStreamEvent, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import type { Accounts } from '../../lib/accounts/account-index.ts';
import { batches } from '../../lib/core/collections.ts';
import { contentHash } from '../../lib/core/encoding.ts';
import { tryParseJson, xmlSafeJson } from '../../lib/core/json.ts';
import { loggableError, ok, type Result } from '../../lib/core/result.ts';
import type { RowChange } from '../../lib/publish/events-of-change.ts';
import { secondsSince } from '../../lib/telemetry/metrics.ts';
import { storeDeadlineMs as deployedDeadlineMs, type PromptParts } from '../adapters/aws-clients.ts';
import { queryRows } from '../adapters/dynamo-versioned-rows.ts';
import { type HttpAnswer, type HttpProblem, httpClient, unlessFault } from '../adapters/http-client.ts';
import { runSettings } from '../adapters/json-telemetry.ts';
import { secretAccounts } from '../adapters/secret-accounts.ts';
import { changesIn } from '../adapters/stream-changes.ts';
import type { ForwardDeliveriesEnv } from './environment.ts';
import {
  ForwardMessage,
  type ForwardPorts,
  forwardDelivery,
  forwardingDelay,
  forwardMessages,
  messageGroup,
  pauseSeconds,
  reportFailure,
} from './forward-delivery.ts';

export interface ForwardingParts extends PromptParts<ForwardDeliveriesEnv> {
  readonly secrets: Pick<SecretsManagerClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly post: ForwardPorts['post'];
}

/** Queues the new deliveries in changes of the calls' table, and sends the queue's messages. Answers what to retry. */
export const composeForwarding = (parts: ForwardingParts) => {
  const { env, clock, telemetry, dynamodb, secrets, sqs, post, storeDeadlineMs = deployedDeadlineMs } = parts;
  const deadline = () => ({ abortSignal: AbortSignal.timeout(storeDeadlineMs) });
  const accounts = secretAccounts(secrets, env, { clock, telemetry });
  const queueUrl = env.FORWARD_QUEUE_URL;

  const enqueueChanges = enqueue({ accounts, telemetry, clock }, async (batch) => {
    const Entries = batch.map(({ message }, index) => ({
      Id: String(index),
      MessageBody: xmlSafeJson(message),
      MessageGroupId: messageGroup(message),
      // If a part of a batch fails, the stream repeats the batch from there. The records of one post have the same message.
      MessageDeduplicationId: contentHash(message),
    }));
    const { Failed = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }), deadline());
    return Failed.map(({ Id }) => Number(Id));
  });
  const forward = forwardDelivery({
    accounts,
    telemetry,
    post,
    read: queryRows({ client: dynamodb, tableName: env.CALLS_TABLE, deadlineMs: storeDeadlineMs }),
  });

  const sendMessage = async ({ body, receiptHandle, attributes }: SQSRecord): Promise<boolean> => {
    const attempt = Number(attributes.ApproximateReceiveCount);
    const waitedSeconds = secondsSince(Number(attributes.SentTimestamp), clock());
    try {
      const { data } = ForwardMessage.safeParse(tryParseJson(body));
      if (data === undefined) throw loggableError('A message is unreadable');
      if (await forward(data, { attempt, waitedSeconds })) return true;
    } catch (error) {
      reportFailure(telemetry, error, attempt);
    }
    const VisibilityTimeout = pauseSeconds(attempt);
    const pause = { QueueUrl: queueUrl, ReceiptHandle: receiptHandle, VisibilityTimeout };
    // Without it the message waits for the queue's own time-out.
    await sqs
      .send(new ChangeMessageVisibilityCommand(pause), deadline())
      .catch((error: unknown) => telemetry.fault('forwarding', error));
    return false;
  };

  return middy<DynamoDBStreamEvent | SQSEvent, SQSBatchResponse>(runSettings(telemetry)).handler(
    async ({ Records }) => {
      const failed: string[] = [];
      const failedFrom = await enqueueChanges(changesIn(Records.filter(isChange)));
      if (failedFrom !== undefined) failed.push(failedFrom);
      for (const record of Records)
        if (!isChange(record) && !(await sendMessage(record))) failed.push(record.messageId);
      return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
    },
  );
};

const isChange = (record: DynamoDBRecord | SQSRecord): record is DynamoDBRecord => 'dynamodb' in record;

interface SequencedMessage {
  readonly sequence: string;
  readonly message: ForwardMessage;
}

/** SQS accepts ten messages a call. Two of one group never share a call: their order would be lost if the first failed. */
const fits = (batch: readonly SequencedMessage[], next: SequencedMessage): boolean =>
  batch.length < 10 && batch.every(({ message }) => messageGroup(message) !== messageGroup(next.message));

/** Puts the new deliveries of a shard's changes into the queue, in order, and answers from where the batch must be retried. */
const enqueue =
  (
    { accounts, telemetry, clock }: Pick<ForwardingParts, 'telemetry' | 'clock'> & { readonly accounts: Accounts },
    send: (batch: readonly SequencedMessage[]) => Promise<readonly number[]>,
  ) =>
  async (changes: readonly RowChange[]): Promise<string | undefined> => {
    let failing = changes[0]?.sequence;
    if (failing === undefined) return undefined;
    const measureDelay = ({ writtenMs = Number.NaN }: RowChange) =>
      telemetry.measure(forwardingDelay, secondsSince(writtenMs, clock()));
    try {
      const current = await accounts.current().catch((error: unknown) => {
        for (const change of changes) measureDelay(change);
        throw error;
      });
      const messages = changes.flatMap((change) => {
        try {
          const made = forwardMessages(current, change).map((message) => ({ sequence: change.sequence, message }));
          if (made.length > 0) measureDelay(change);
          return made;
        } catch (error) {
          // Callfeed did not write this row. It must not hold up the changes behind it.
          telemetry.fault('row', error);
          return [];
        }
      });
      // Written now, so that it is known even where the run ends at its time-out.
      telemetry.flush();
      for (const batch of batches(messages, fits)) {
        failing = batch[0]?.sequence ?? failing;
        const rejected = await send(batch);
        if (rejected.length === 0) continue;
        telemetry.fault('forwarding', loggableError('The forwarding queue rejected a message'));
        // SQS lists them in any order. Lambda takes everything before the answer for done.
        return batch[Math.min(...rejected)]?.sequence ?? failing;
      }
      return undefined;
    } catch (error) {
      telemetry.fault('forwarding', error);
      return failing;
    }
  };

/** How long a connection and a whole post may take, in milliseconds. An address that hangs must not hold up the others for long. */
export const forwardTimeouts = { connectMs: 2_000, wholeMs: 10_000 };

/**
 * Posts forms to others. A redirect is not followed, because the key would go there. Some receivers stop when nobody
 * reads the answer. Each post has its own connection: an earlier run's may be dead without notice.
 */
export const postForm = (timeouts: typeof forwardTimeouts = forwardTimeouts): ForwardPorts['post'] => {
  const post = httpClient({ ...timeouts, checkUrl: (address): Result<URL, never> => ok(new URL(address)) });
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return sparing(async (address, body) => {
    const answer = await post(address, { method: 'POST', headers, body });
    if (!answer.ok) return wordOf(answer.problem.problem);
    const read = await unlessFault(readToEnd(answer.value));
    return read.ok ? problemOf(answer.value.status) : wordOf(read.problem.problem);
  });
};

/** How many posts in a row a silent address may keep waiting before it is left alone, and for how long. */
const silentPosts = 3;
const restMs = 60_000;

/** Leaves an address that hangs alone for a while: with its many deliveries it would take the time of all other addresses. */
export const sparing = (post: ForwardPorts['post']): ForwardPorts['post'] => {
  const silent = new Map<string, { readonly posts: number; readonly lastMs: number }>();
  return async (address, body) => {
    const { posts = 0, lastMs = 0 } = silent.get(address) ?? {};
    if (posts >= silentPosts && Date.now() < lastMs + restMs) return 'timeout';
    const problem = await post(address, body);
    if (problem === 'timeout') silent.set(address, { posts: posts + 1, lastMs: Date.now() });
    else silent.delete(address);
    return problem;
  };
};

const readToEnd = async ({ body }: HttpAnswer): Promise<void> => {
  for await (const _ of body);
};

const wordOf = (problem: HttpProblem): string => (problem === 'timeout' ? problem : 'connection');

const problemOf = (status: number): string | undefined => {
  if (status >= 200 && status < 300) return undefined;
  return status >= 300 && status < 400 ? 'redirect' : `status ${status}`;
};

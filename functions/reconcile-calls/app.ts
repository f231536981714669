import { randomUUID } from 'node:crypto';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { tryParseJson } from '../../lib/core/json.ts';
import { loggableError } from '../../lib/core/result.ts';
import type { ReportService, TelephonyService } from '../../lib/service/service.ts';
import { tokenCache } from '../../lib/service/token-cache.ts';
import { type FunctionParts, storeDeadlineMs } from '../adapters/aws-clients.ts';
import { dynamoAgentTable } from '../adapters/dynamo-agent-table.ts';
import { dynamoVersionedRows, readRows } from '../adapters/dynamo-versioned-rows.ts';
import { type BufferedTelemetry, runSettings } from '../adapters/json-telemetry.ts';
import { secretAccounts } from '../adapters/secret-accounts.ts';
import type { ReconcileCallsEnv } from './environment.ts';
import { type Ended, ReconcileMessage, reconcileCalls } from './reconcile-calls.ts';

interface Services {
  readonly reconcile: (message: ReconcileMessage) => Promise<Ended>;
  readonly telemetry: BufferedTelemetry;
}

const whyAgain = {
  'race-lost': 'Another run reconciles this account at the same time',
  'too-early': 'The step before this one is not written yet',
} as const;

export const createReconcileHandler = ({ reconcile, telemetry }: Services) =>
  middy<SQSEvent, SQSBatchResponse>(runSettings(telemetry)).handler(async ({ Records }) => {
    const batchItemFailures: SQSBatchResponse['batchItemFailures'] = [];
    for (const { messageId: itemIdentifier, body } of Records) {
      const { data } = ReconcileMessage.safeParse(tryParseJson(body));
      // Nobody but this deployment and its operators may send here, so an unreadable message is of another version.
      if (data === undefined) telemetry.fault('reconciliation', loggableError('A message is unreadable'));
      const ended = data === undefined ? 'done' : await reconcile(data).catch((error: unknown) => ({ error }));
      if (ended === 'done') continue;
      telemetry.fault('reconciliation', typeof ended === 'string' ? loggableError(whyAgain[ended]) : ended.error);
      batchItemFailures.push({ itemIdentifier });
    }
    return { batchItemFailures };
  });

export interface ReconciliationParts extends FunctionParts<ReconcileCallsEnv> {
  readonly secrets: Pick<SecretsManagerClient, 'send'>;
  readonly sqs: Pick<SQSClient, 'send'>;
  readonly report: ReportService;
  readonly service: TelephonyService;
}

/** How long the reads and writes for a page may take, in milliseconds: on first use 500 calls are written. */
const pageDeadlineMs = 25_000;

export const composeReconciliation = (parts: ReconciliationParts) => {
  const { env, clock, telemetry, dynamodb, secrets, sqs, report, service } = parts;
  const table = dynamoAgentTable({ client: dynamodb, tableName: env.AGENTS_TABLE, deadlineMs: storeDeadlineMs });

  return createReconcileHandler({
    telemetry,
    reconcile: reconcileCalls({
      env,
      clock,
      telemetry,
      table,
      accounts: secretAccounts(secrets, env, { clock, telemetry, secretHashes: env.CALLBACK_SECRET_SHA256 }),
      service: report,
      getToken: tokenCache({ table, service, clock, telemetry }),
      newId: randomUUID,
      deadline: () => AbortSignal.timeout(pageDeadlineMs),
      calls: {
        clock,
        rows: dynamoVersionedRows(dynamodb, env.CALLS_TABLE),
        retentionDays: env.CALL_RETENTION_DAYS,
        read: readRows(dynamodb, env.CALLS_TABLE),
      },
      async send(message, DelaySeconds) {
        const command = new SendMessageCommand({
          QueueUrl: env.RECONCILE_QUEUE_URL,
          MessageBody: JSON.stringify(message),
          DelaySeconds,
        });
        await sqs.send(command, { abortSignal: AbortSignal.timeout(storeDeadlineMs) });
      },
    }),
  });
};

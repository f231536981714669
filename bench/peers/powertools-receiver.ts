import {
  IdempotencyAlreadyInProgressError,
  IdempotencyConfig,
  makeIdempotent,
} from '@aws-lambda-powertools/idempotency';
import { DynamoDBPersistenceLayer } from '@aws-lambda-powertools/idempotency/dynamodb';
import { Logger } from '@aws-lambda-powertools/logger';
import { injectLambdaContext } from '@aws-lambda-powertools/logger/middleware';
import { Metrics, MetricUnit } from '@aws-lambda-powertools/metrics';
import { logMetrics } from '@aws-lambda-powertools/metrics/middleware';
import { parse } from '@aws-lambda-powertools/parser';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import * as z from 'zod';

/** Any scalar may come as text or as a number. */
const text = z.union([z.string(), z.number()]).transform(String);
const optional = text.nullish();

const fields = [
  'AgentID',
  'AgentName',
  'AgentPhoneNumber',
  'AgentStatus',
  'AgentUniqueID',
  'AudioFile',
  'CallDuration',
  'CallID',
  'CallerConfAudioFile',
  'CallerID',
  'CampaignName',
  'CampaignStatus',
  'Comments',
  'ConfDuration',
  'CustomerStatus',
  'DialStatus',
  'DialedNumber',
  'dId',
  'Did',
  'DID',
  'DataUniqueId',
  'Disposition',
  'Duration',
  'EndTime',
  'FallBackRule',
  'HangupBy',
  'HoldDuration',
  'Location',
  'PhoneName',
  'Skill',
  'StartTime',
  'Status',
  'TimeToAnswer',
  'TransferType',
  'TransferredTo',
  'Type',
  'UCID',
  'UserName',
  'UUI',
  'WrapUpDuration',
] as const;

const CallSummary = z.object({
  ...Object.fromEntries(fields.map((name) => [name, optional])),
  monitorUCID: text.refine((id) => id !== ''),
  Apikey: z.string(),
});
export type CallSummary = z.output<typeof CallSummary>;

const Records = z.union([z.array(z.unknown()), z.record(z.string(), z.unknown()).transform((one) => [one])]);

/**
 * The body of the HTTP API's event. The parser's own schema of the whole event would bring all of zod into the bundle,
 * 350 KB more, for fields that are not read.
 */
const Carrier = z.object({ body: z.string().default(''), isBase64Encoded: z.boolean() });

const Posted = Carrier.transform(({ body, isBase64Encoded }, context) => {
  const form = new URLSearchParams(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body);
  try {
    const data: unknown = JSON.parse(form.get('data') ?? '');
    return data;
  } catch {
    context.addIssue({ code: 'custom', message: 'The field "data" must hold JSON.' });
    return z.NEVER;
  }
}).pipe(Records);

const { CALLS_TABLE, IDEMPOTENCY_TABLE = '', BUS_NAME } = process.env;

const dynamodb = new DynamoDBClient({});
const documents = DynamoDBDocumentClient.from(dynamodb, { marshallOptions: { removeUndefinedValues: true } });
const eventbridge = new EventBridgeClient({});

const dayInSeconds = 86_400;
const config = new IdempotencyConfig({ expiresAfterSeconds: dayInSeconds });

/** Idempotency needs the remaining time of the run. */
const duringRun = (context: Context): void => config.registerLambdaContext(context);

const recordCall = async ({ Apikey: _, ...summary }: CallSummary): Promise<{ readonly stored: string }> => {
  const call = { ...summary, receivedAt: new Date().toISOString() };
  await documents.send(new PutCommand({ TableName: CALLS_TABLE, Item: call }));
  const { FailedEntryCount: failed = 0 } = await eventbridge.send(
    new PutEventsCommand({
      Entries: [
        {
          EventBusName: BUS_NAME,
          Source: 'calls',
          DetailType: 'Call Summary Received',
          Detail: JSON.stringify(call),
        },
      ],
    }),
  );
  if (failed > 0) throw new Error('EventBridge rejected the event');
  return { stored: summary.monitorUCID };
};

/**
 * Writes the row and the event of a call once for each distinct summary. With the call's id as the key, a later summary
 * with the agent's disposition would count as a repeat.
 */
const storeCall = makeIdempotent(recordCall, {
  config,
  persistenceStore: new DynamoDBPersistenceLayer({ tableName: IDEMPOTENCY_TABLE, awsSdkV3Client: dynamodb }),
});

const { API_KEY } = process.env;

const logger = new Logger();
const metrics = new Metrics();

const reply = (statusCode: number, body: object): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

/** The answer while another run works on the same summary. A later retry finds it stored. */
const inProgress = reply(409, { error: 'The summary is being stored.' });

export const handler = middy<APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2>()
  .use(injectLambdaContext(logger))
  .use(logMetrics(metrics))
  .handler(async (event, context) => {
    if (event.requestContext.http.method !== 'POST') return reply(200, { service: 'calls' });

    const posted = parse(event, undefined, Posted, true);
    if (!posted.success) return reply(400, { error: 'The field "data" must hold JSON.' });
    const summaries = posted.data.flatMap((record) => CallSummary.safeParse(record).data ?? []);
    if (summaries.length === 0) return reply(400, { error: 'There is no call summary.' });
    if (summaries.some(({ Apikey }) => Apikey !== API_KEY)) return reply(401, { error: 'The key is not known.' });

    duringRun(context);
    try {
      await Promise.all(summaries.map((summary) => storeCall(summary)));
    } catch (error) {
      if (error instanceof IdempotencyAlreadyInProgressError) return inProgress;
      throw error;
    }
    metrics.addMetric('CallbacksStored', MetricUnit.Count, 1);
    metrics.addMetric('CallsStored', MetricUnit.Count, summaries.length);
    logger.info('Calls stored', { calls: summaries.length });
    return reply(200, { stored: summaries.length });
  });

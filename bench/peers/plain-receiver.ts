import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

export type PostedRecord = Readonly<Record<string, unknown>>;

/** The records in the form field `data`: one or a list; undefined if there are none. */
const openForm = ({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): readonly unknown[] | undefined => {
  const form = new URLSearchParams(isBase64Encoded ? Buffer.from(body, 'base64').toString() : body);
  try {
    const data: unknown = JSON.parse(form.get('data') ?? '');
    return Array.isArray(data) ? data : [data];
  } catch {
    return undefined;
  }
};

/** Whether it is a call summary: those name their call, participants do not. */
const isSummary = (record: unknown): record is PostedRecord =>
  typeof record === 'object' && record !== null && 'monitorUCID' in record;

const { API_KEY, CALLS_TABLE, BUS_NAME } = process.env;

const documents = DynamoDBDocumentClient.from(new DynamoDBClient({}));
const eventbridge = new EventBridgeClient({});

const reply = (statusCode: number, body: object): APIGatewayProxyStructuredResultV2 => ({
  statusCode,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

const log = (message: string, calls: number) => process.stdout.write(`${JSON.stringify({ message, calls })}\n`);

const callOf = ({ Apikey: _, ...summary }: PostedRecord) => ({
  ...summary,
  monitorUCID: String(summary['monitorUCID']),
  receivedAt: new Date().toISOString(),
});
type Call = ReturnType<typeof callOf>;

const store = (call: Call) => documents.send(new PutCommand({ TableName: CALLS_TABLE, Item: call }));

/** One request holds at most ten events. */
const publish = async (calls: readonly Call[]): Promise<void> => {
  for (let from = 0; from < calls.length; from += 10) {
    const Entries = calls.slice(from, from + 10).map((call) => ({
      EventBusName: BUS_NAME,
      Source: 'calls',
      DetailType: 'Call Summary Received',
      Detail: JSON.stringify(call),
    }));
    const { FailedEntryCount: failed = 0 } = await eventbridge.send(new PutEventsCommand({ Entries }));
    if (failed > 0) throw new Error(`EventBridge rejected ${failed} of ${Entries.length} events`);
  }
};

/** The receiver as teams write it: the row, then the event, then the reply. */
export const handler = async (event: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> => {
  if (event.requestContext.http.method !== 'POST') return reply(200, { service: 'calls' });

  const records = openForm(event);
  if (records === undefined) return reply(400, { error: 'The field "data" must hold JSON.' });
  const summaries = records.filter(isSummary);
  if (summaries.length === 0) return reply(400, { error: 'There is no call summary.' });
  if (summaries.some(({ Apikey }) => Apikey !== API_KEY)) return reply(401, { error: 'The key is not known.' });

  const calls = summaries.map(callOf);
  await Promise.all(calls.map(store));
  await publish(calls);
  log('Calls stored', calls.length);
  return reply(200, { stored: calls.length });
};

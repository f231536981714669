import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createCallfeedClient } from 'callfeed/client';
import { parseEvent } from 'callfeed/contract';

const { CALLS_TABLE: calls = '', AGENTS_TABLE: agents = '' } = process.env;
const dynamodb = new DynamoDBClient();
const day = 24 * 60 * 60 * 1000;

/** Counts the calls of the customer whose call was missed, in the day up to that call. It logs no number. */
export const handler = async (received: unknown): Promise<void> => {
  const event = parseEvent(received);
  if (event['detail-type'] !== 'Call Summary Recorded') return;
  const { account, callId, occurredAt, call } = event.detail;
  if (call.customerNumber === undefined) return;

  const callfeed = createCallfeedClient({ dynamodb, tables: { calls, agents }, account });
  const from = new Date(Date.parse(occurredAt) - day).toISOString();
  let callsInADay = 0;
  for await (const _ of callfeed.callsOfCustomer(call.customerNumber, { from, to: occurredAt })) callsInADay++;
  console.log(JSON.stringify({ message: 'call missed', callId, callsInADay }));
};

import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { type CallbackReceipts, receiptsKey, receiptsOf } from '../lib/agents/silence.ts';
import { keyItem, unmarshalled } from '../lib/storage/attribute-values.ts';
import type { Deployment } from './connection/deployment.ts';

/** When callbacks of an account came, and whether their events are published. */
export const callbackReceipts = async (
  { dynamodb, tables }: Pick<Deployment, 'dynamodb' | 'tables'>,
  account: string,
): Promise<CallbackReceipts> => {
  const Key = keyItem(receiptsKey(account));
  const { Item } = await dynamodb.send(new GetItemCommand({ TableName: tables.agents, Key, ConsistentRead: true }));
  return receiptsOf(Item && unmarshalled(Item));
};

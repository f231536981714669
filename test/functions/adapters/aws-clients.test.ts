import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it } from 'vitest';
import { silent } from '../../../functions/adapters/aws-clients.ts';

const logs = (client: DynamoDBClient) => client.middlewareStack.identify().filter((name) => /logger/i.test(name));

it('a silent client copies nothing for a log, which others do', () => {
  expect(logs(new DynamoDBClient())).not.toEqual([]);
  expect(logs(silent(new DynamoDBClient()))).toEqual([]);
});

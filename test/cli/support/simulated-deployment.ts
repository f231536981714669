import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import type { Deployment } from '../../../cli/connection/deployment.ts';
import { accountIndex, accountsKey, namedAccounts } from '../../../lib/accounts/account-index.ts';
import type { Account } from '../../../lib/accounts/accounts.ts';
import { marshalled } from '../../../lib/storage/rows.ts';
import { localClient } from '../../../sandbox/local-aws.ts';
import type { Wire } from '../../../sandbox/simulator/posts.ts';
import { transport } from '../../deployment/aws-clients.ts';
import { noFault } from '../../deployment/fault.ts';
import { createMemoryWorld } from '../../deployment/world.ts';
import { httpApiEvent } from '../../support/local-servers.ts';
import { stubDeployment } from './local-deployment.ts';

/** The SDK's client of DynamoDB, on the tables of a world. */
export const dynamodbOf = ({ services }: Pick<ReturnType<typeof createMemoryWorld>, 'services'>): DynamoDBClient =>
  new DynamoDBClient({
    ...localClient('http://wire.invalid'),
    requestHandler: transport(
      () =>
        ({ headers, body }) =>
          services.dynamodb({ method: 'POST', path: '/', headers, body }),
    ),
  });

/** A deployment with tables in memory, whose receiver has got these posts at an instant. */
export const deploymentWith = async (
  account: Account,
  posts: readonly Pick<Wire, 'contentType' | 'body' | 'query'>[],
  now: string,
): Promise<Deployment> => {
  const world = createMemoryWorld({ startedAt: now, accounts: [account], accountsIn: 'environment' });
  const { receive } = world.start(noFault);
  for (const { body, query, contentType } of posts)
    await receive(httpApiEvent({ body, query, headers: { 'content-type': contentType } }));
  const dynamodb = dynamodbOf(world);
  const Item = marshalled({ ...accountsKey, kind: 'accounts', accounts: namedAccounts([account]) });
  await dynamodb.send(new PutItemCommand({ TableName: 'agents', Item }));
  return { ...stubDeployment(), dynamodb, accounts: async () => accountIndex([account]) };
};

import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createCallfeedClient } from 'callfeed/client';
import type { Call } from 'callfeed/contract';

const [endpoint = '', callId = ''] = process.argv.slice(2);
const callfeed = createCallfeedClient({
  dynamodb: new DynamoDBClient({
    endpoint,
    region: 'local',
    credentials: { accessKeyId: 'any', secretAccessKey: 'any' },
  }),
  tables: { calls: 'callfeed-calls', agents: 'callfeed-agents' },
  account: 'demo',
});

const legs: readonly Call[] = (await callfeed.call(callId))?.legs ?? [];
const { freshness } = await callfeed.floor();
process.stdout.write(`${legs.map(({ status, agentIds }) => `${status} by ${agentIds}`)}; floor: ${freshness}`);

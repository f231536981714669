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

const call: Call | undefined = (await callfeed.call(callId))?.call;
const { freshness } = await callfeed.floor();
process.stdout.write(`${call?.status} by ${call?.agentIds}; floor: ${freshness}`);

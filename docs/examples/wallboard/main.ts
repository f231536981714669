import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createCallfeedClient } from 'callfeed/client';
import { showFloor } from './show-floor.ts';

const {
  CALLS_TABLE: calls = 'callfeed-calls',
  AGENTS_TABLE: agents = 'callfeed-agents',
  ACCOUNT: account,
} = process.env;
if (!account) throw new Error('Set ACCOUNT to the user name of the telephony account.');

const callfeed = createCallfeedClient({ dynamodb: new DynamoDBClient(), tables: { calls, agents }, account });
const end = new AbortController();
process.once('SIGINT', () => end.abort());

const { stdout } = process;
const clear = '\u001B[H\u001B[J';
await showFloor(callfeed, {
  show: (text) => stdout.write(stdout.isTTY ? `${clear}${text}` : `${text}\n`),
  ...(stdout.isTTY && { redrawEveryMs: 1000 }),
  signal: end.signal,
});

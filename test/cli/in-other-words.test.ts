import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, expect, it } from 'vitest';
import { mapValues } from '../../lib/core/collections.ts';
import { forwardTo } from '../../sandbox/dynamodb/start-store.ts';
import { localClient } from '../../sandbox/frame/local-aws.ts';
import type { Handle } from '../../sandbox/frame/serve.ts';
import { transport } from '../support/aws-clients.ts';
import { dynamodbEndpoint } from '../support/dynamodb-local.ts';
import { arnOf, sameMeanings } from '../support/same-meaning.ts';
import { forThisFile } from './support/local-deployment.ts';
import { callWithAllFields, startReadingDeployment } from './support/reading-deployment.ts';

const deployment = await forThisFile(startReadingDeployment());
const forward = forwardTo(await dynamodbEndpoint());
afterAll(() => forward.close());

/** The deployment, whose tables answer in pages of one row behind an empty one, in part, and by the other name of a table. */
const inOtherWords = async () => {
  const handle = Object.values(sameMeanings).reduce<Handle>((answered, change) => change(answered), forward);
  const requestHandler = transport(() => handle);
  const dynamodb = new DynamoDBClient({ ...localClient('http://wire.invalid'), requestHandler });
  return { ...(await deployment.connect()), dynamodb };
};

const day = '--day 2026-11-21 --time-zone Asia/Kolkata';
const range = '--from 2026-11-20T00:00:00Z --to 2026-11-22T09:00:00Z';

it.each([
  'status',
  'status --since 2d',
  'agents --account demo',
  'floor --account demo --at 2026-11-22T08:00:00Z',
  `timeline asha ${day} --account demo`,
  `calls ${day} --account demo`,
  `calls ${range} --missed --account demo`,
  'calls --customer 9876512345 --account demo',
  'calls --agent asha --account demo',
  `call ${callWithAllFields} --account demo`,
  'day --date 2026-11-20 --time-zone Asia/Kolkata --account demo',
  'unknown --account demo',
  'quarantine list',
  'quarantine redrive --all --dry-run',
  'dead-letters list recordings',
  `renormalise ${range} --account demo --dry-run`,
  `replay ${range} --account demo --dry-run`,
  `replay ${range} --dry-run`,
  'erase --customer 9876512345 --account demo --dry-run',
  'erase --agent asha --account demo --as erased-1a2b3c4d --dry-run',
  `verify ${range} --account demo --no-report`,
])('callfeed %s prints the same however DynamoDB divides its answers', async (line) => {
  const usual = await deployment.at([...line.split(' '), '--json']);
  const odd = await deployment.at([...line.split(' '), '--json'], { connect: inOtherWords });

  expect([odd.code, odd.output]).toEqual([usual.code, usual.output]);
});

it.each([
  'floor --account demo --at 2026-11-22T08:00:00Z',
  'calls --customer 9876512345 --account demo',
  `call ${callWithAllFields} --account demo`,
  'day --date 2026-11-20 --time-zone Asia/Kolkata --account demo',
])('callfeed %s prints the same where tables are given by their ARNs, and answered by their names', async (line) => {
  const usual = await deployment.at([...line.split(' '), '--json']);
  const byArn = async () => {
    const connected = await inOtherWords();
    return { ...connected, tables: mapValues(connected.tables, arnOf) };
  };
  const odd = await deployment.at([...line.split(' '), '--json'], { connect: byArn });

  expect([odd.code, odd.output]).toEqual([usual.code, usual.output]);
});

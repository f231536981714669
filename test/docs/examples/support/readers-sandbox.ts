import { readFileSync } from 'node:fs';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { expect, vi } from 'vitest';
import { localClient } from '../../../../sandbox/local-aws.ts';
import { startSandbox } from '../../../../sandbox/sandbox.ts';
import { demoCall, logIn, postCall } from '../../../support/sandbox.ts';
import { runAgainst } from './runbook.ts';

/** More digits than a JSON number can hold. */
export const ids = {
  missed: '12345678901234567891',
  answered: '12345678901234567892',
  legs: '12345678901234567893',
  hostile: '12345678901234567894',
};

/** Callbacks come to the address with this secret. */
export const callbackSecret = 'readers-callback-secret';

const times = (day: string) => ({ StartTime: `${day} 10:00:00`, EndTime: `${day} 10:02:00` });
const missed = { Status: 'NotAnswered', CallerID: '+91 98 44', Skill: 'Sales', AgentID: '' };

/** A missed call of another day with fields that would rewrite a terminal. */
const hostile = {
  ...missed,
  ...times('2026-11-12'),
  ...{ Skill: 'A\u001b[2J\u202eB', Disposition: 'No\r\u009b2J sale' },
};

/**
 * A sandbox whose account `demo` has calls of some days, and agents who are polled every 15 seconds. The account
 * `old & gone` has a feed that is live by its row, and years old.
 */
export const startReadersSandbox = async () => {
  const sandbox = await startSandbox({ port: 0, dynamodbPort: 0, providerPort: 0, traffic: false, callbackSecret });
  const { addresses } = sandbox;
  const callbacks = addresses.callbacks.replace('{secret}', callbackSecret);
  const dynamodb = new DynamoDBClient(localClient(addresses.dynamodb));
  const post = (callId: string, changes: Readonly<Record<string, string>>) =>
    postCall(callbacks, demoCall(callId, changes));

  const data = readFileSync('sandbox/examples/call-summary.json', 'utf8');
  await fetch(callbacks, { method: 'POST', body: new URLSearchParams({ data }) });
  const steps = [
    { ...logIn('asha'), skills: ['Sales', 'Returns'] },
    { ...logIn('ravi', 'PAUSE'), skills: [] },
  ];
  await fetch(addresses.agents, { method: 'POST', body: JSON.stringify(steps) });
  await post(ids.missed, { ...missed, ...times('2026-11-20') });
  await post(ids.answered, times('2026-11-20'));
  await post('100', { ...missed, ...times('2026-11-21') });
  await post('101', { ...missed, ...times('2026-11-19') });
  const answeredLeg = { ...times('2026-11-18'), UCID: '900', AgentID: 'asha -> ravi' };
  await post(ids.legs, answeredLeg);
  await post(ids.legs, { ...answeredLeg, Disposition: 'Sale' });
  await post(ids.legs, { ...times('2026-11-18'), UCID: '901', Status: 'NotAnswered', AgentID: '' });

  await post(ids.hostile, hostile);

  const feed = async () => {
    const Key = { pk: { S: 'demo' }, sk: { S: 'feed' } };
    const { Item } = await dynamodb.send(new GetItemCommand({ TableName: 'callfeed-agents', Key }));
    expect(Item?.['asOf']).toBeDefined();
    return Item;
  };
  const live = await vi.waitFor(feed, { timeout: 60_000, interval: 100 });
  const asOf = { S: '2020-11-20T05:30:00.000Z' };
  const Item = { ...live, pk: { S: 'old%20%26%20gone' }, asOf, staleAt: { S: '2020-11-20T05:30:30.000Z' } };
  await dynamodb.send(new PutItemCommand({ TableName: 'callfeed-agents', Item }));

  return {
    addresses,
    /** The row of the feed of `demo`. */
    feed,
    post: (callId: string, changes: Readonly<Record<string, string>>) => post(callId, { ...missed, ...changes }),
    /** Runs a program in an example's folder, with the environment of its README. */
    run: (folder: string, program: string, ...args: readonly string[]) =>
      runAgainst(addresses, [folder, program, ...args]),
    async stop() {
      dynamodb.destroy();
      await sandbox.stop();
    },
  };
};

export type ReadersSandbox = Awaited<ReturnType<typeof startReadersSandbox>>;

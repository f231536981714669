import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import type { Deployment } from '../../../cli/connection/deployment.ts';
import { type AskedReplay, plannedReplay } from '../../../cli/replay/planned-replay.ts';
import { writeState } from '../../../cli/replay/replay-state.ts';
import { accountBook } from '../../../lib/account/account-book.ts';

const client = { region: 'local', credentials: { accessKeyId: 'x', secretAccessKey: 'x' } };
const deployment = (calls: string): Deployment => ({
  dynamodb: new DynamoDBClient(client),
  sqs: new SQSClient(client),
  bus: { kind: 'sandbox', name: 'bus' },
  tables: { calls, agents: 'agents', quarantine: 'quarantine' },
  queues: { parking: 'parking', deadLetters: 'dead-letters' },
  retention: { callDays: 1, quarantineDays: 1 },
  accounts: async () => accountBook([]),
  callbackAddress: () => '',
  fromArchive: () => '',
});
const world = (calls: string) => ({
  connect: async () => deployment(calls),
  clock: () => new Date('2026-11-21T10:15:00.000Z'),
});
const asked: AskedReplay = { stack: 'callfeed-prod', json: false, type: [], dryRun: false };
const range = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' };
const newFile = () => join(mkdtempSync(join(tmpdir(), 'callfeed-')), 'replay.json');

/** Begins a replay, and keeps it as one that was cut off. */
const cutOff = async (begun: Partial<AskedReplay>): Promise<string> => {
  const planned = await plannedReplay({ ...asked, ...range, state: newFile(), ...begun }, world('calls-1'));
  writeState(planned.file, planned.state);
  return planned.file;
};

describe('a planned replay', () => {
  it.each<[string, Partial<AskedReplay>, Partial<AskedReplay>]>([
    ['where it was begun', { stack: 'callfeed-eu' }, {}],
    ['there again', { stack: 'callfeed-eu' }, { stack: 'callfeed-eu' }],
    ['with other credentials', { profile: 'a' }, { profile: 'b' }],
    ['in its sandbox', { endpoint: 'http://localhost:3000' }, { endpoint: 'http://localhost:3000' }],
  ])('goes on %s', async (_title, begun, resumed) => {
    const { state, after } = await plannedReplay(
      { ...asked, ...resumed, resume: await cutOff(begun) },
      world('calls-1'),
    );

    expect(state).toMatchObject({ replayedAt: '2026-11-21T10:15:00.000Z', range });
    expect(after).toEqual({ table: 'calls' });
  });

  it.each<[string, Partial<AskedReplay>, Partial<AskedReplay>, string]>([
    ['a sandbox', {}, { endpoint: 'http://localhost:3000' }, 'calls-1'],
    ['another sandbox', { endpoint: 'http://localhost:3000' }, { endpoint: 'http://localhost:3001' }, 'calls-1'],
    ['another stack', {}, { stack: 'callfeed-eu' }, 'calls-1'],
    ['the stack of that name elsewhere', {}, { region: 'eu-west-1' }, 'calls-2'],
  ])('never goes on in %s', async (_title, begun, resumed, calls) => {
    const resume = await cutOff(begun);

    await expect(plannedReplay({ ...asked, ...resumed, resume }, world(calls))).rejects.toMatchObject({
      message: `${resume} is of another deployment than this one.`,
      exitCode: 2,
    });
  });

  it('takes no file that is there already, unless it writes none', async () => {
    const state = newFile();
    writeFileSync(state, 'mine');

    await expect(plannedReplay({ ...asked, ...range, state }, world('calls-1'))).rejects.toMatchObject({
      message: expect.stringContaining('is there already'),
      exitCode: 2,
    });
    expect((await plannedReplay({ ...asked, ...range, state, dryRun: true }, world('calls-1'))).file).toBe(state);
    expect(readFileSync(state, 'utf8')).toBe('mine');
  });
});

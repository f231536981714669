import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { SQSClient } from '@aws-sdk/client-sqs';
import { describe, expect, it } from 'vitest';
import { pace } from '../../../cli/commands/replay.ts';
import type { Deployment } from '../../../cli/connection/deployment.ts';
import { planReplay, type ReplayRequest, writeState } from '../../../cli/replay/plan.ts';
import { accountIndex } from '../../../lib/accounts/account-index.ts';

const client = { region: 'local', credentials: { accessKeyId: 'x', secretAccessKey: 'x' } };
const deployment = (calls: string): Deployment => ({
  dynamodb: new DynamoDBClient(client),
  sqs: new SQSClient(client),
  bus: { kind: 'sandbox', name: 'bus' },
  tables: { calls, agents: 'agents', quarantine: 'quarantine' },
  queues: { parking: 'parking', deadLetters: 'dead-letters' },
  retention: { callDays: 1, quarantineDays: 1 },
  accounts: async () => accountIndex([]),
  callbackAddress: () => '',
  fromArchive: () => '',
});
const world = (calls: string) => ({
  connect: async () => deployment(calls),
  clock: () => new Date('2026-11-21T10:15:00.000Z'),
});
const asked: ReplayRequest = { stack: 'callfeed-prod', json: false, type: [], dryRun: false };
const range = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' };
const newFile = () => join(mkdtempSync(join(tmpdir(), 'callfeed-')), 'replay.json');

/** Begins a replay, and keeps it as one that was cut off. */
const cutOff = async (begun: Partial<ReplayRequest>): Promise<string> => {
  const planned = await planReplay({ ...asked, ...range, state: newFile(), ...begun }, world('calls-1'));
  writeState(planned.file, planned.state);
  return planned.file;
};

describe('a planned replay', () => {
  it.each<[string, Partial<ReplayRequest>, Partial<ReplayRequest>]>([
    ['where it was begun', { stack: 'callfeed-eu' }, {}],
    ['there again', { stack: 'callfeed-eu' }, { stack: 'callfeed-eu' }],
    ['with other credentials', { profile: 'a' }, { profile: 'b' }],
    ['in its sandbox', { endpoint: 'http://localhost:3000' }, { endpoint: 'http://localhost:3000' }],
  ])('goes on %s', async (_title, begun, resumed) => {
    const { state, after } = await planReplay({ ...asked, ...resumed, resume: await cutOff(begun) }, world('calls-1'));

    expect(state).toMatchObject({ replayedAt: '2026-11-21T10:15:00.000Z', range });
    expect(after).toEqual({ table: 'calls' });
  });

  it.each<[string, Partial<ReplayRequest>, Partial<ReplayRequest>, string]>([
    ['a sandbox', {}, { endpoint: 'http://localhost:3000' }, 'calls-1'],
    ['another sandbox', { endpoint: 'http://localhost:3000' }, { endpoint: 'http://localhost:3001' }, 'calls-1'],
    ['another stack', {}, { stack: 'callfeed-eu' }, 'calls-1'],
    ['the stack of that name elsewhere', {}, { region: 'eu-west-1' }, 'calls-2'],
  ])('never goes on in %s', async (_title, begun, resumed, calls) => {
    const resume = await cutOff(begun);

    await expect(planReplay({ ...asked, ...resumed, resume }, world(calls))).rejects.toMatchObject({
      message: `${resume} is of another deployment than this one.`,
      exitCode: 2,
    });
  });

  it('takes no file that is there already, unless it writes none', async () => {
    const state = newFile();
    writeFileSync(state, 'mine');

    await expect(planReplay({ ...asked, ...range, state }, world('calls-1'))).rejects.toMatchObject({
      message: expect.stringContaining('is there already'),
      exitCode: 2,
    });
    expect((await planReplay({ ...asked, ...range, state, dryRun: true }, world('calls-1'))).file).toBe(state);
    expect(readFileSync(state, 'utf8')).toBe('mine');
  });
});

const paced = () => {
  const time = { now: 1_000 };
  const next = pace(10, {
    now: () => time.now,
    pause: async (milliseconds) => {
      time.now += milliseconds;
    },
  });
  return { time, next };
};

describe('pace', () => {
  it('lets the first pass at once, and the others evenly', async () => {
    const { time, next } = paced();
    const passed: number[] = [];
    for (let count = 0; count < 4; count++) {
      await next();
      passed.push(time.now);
    }

    expect(passed).toEqual([1_000, 1_100, 1_200, 1_300]);
  });

  it('makes up for no time that was not used', async () => {
    const { time, next } = paced();
    await next();
    time.now += 5_000;
    await next();
    await next();

    expect(time.now).toBe(6_100);
  });
});

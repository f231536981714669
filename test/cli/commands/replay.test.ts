import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pace } from '../../../cli/commands/replay.ts';
import { planReplay, type ReplayRequest, writeState } from '../../../cli/replay/plan.ts';
import { stubDeployment } from '../support/stub-deployment.ts';

const context = (callsTable: string) => ({
  connect: async () => stubDeployment(callsTable),
  clock: () => new Date('2026-11-21T10:15:00.000Z'),
});
const request: ReplayRequest = { stack: 'callfeed-prod', json: false, type: [], dryRun: false };
const range = { from: '2026-11-20T00:00:00.000Z', to: '2026-11-21T00:00:00.000Z' };
const newFile = () => join(mkdtempSync(join(tmpdir(), 'callfeed-')), 'replay.json');

/** Starts a replay and saves its progress, as an interrupted one does. */
const interrupted = async (options: Partial<ReplayRequest>): Promise<string> => {
  const planned = await planReplay({ ...request, ...range, state: newFile(), ...options }, context('calls-1'));
  writeState(planned.file, planned.state);
  return planned.file;
};

describe('planReplay', () => {
  it.each<[string, Partial<ReplayRequest>, Partial<ReplayRequest>]>([
    ['in the same deployment', { stack: 'callfeed-eu' }, {}],
    ['in the same deployment, named again', { stack: 'callfeed-eu' }, { stack: 'callfeed-eu' }],
    ['with other credentials', { profile: 'a' }, { profile: 'b' }],
    ['in the same sandbox', { endpoint: 'http://localhost:3000' }, { endpoint: 'http://localhost:3000' }],
  ])('resumes %s', async (_title, options, resumed) => {
    const { state, after } = await planReplay(
      { ...request, ...resumed, resume: await interrupted(options) },
      context('calls-1'),
    );

    expect(state).toMatchObject({ replayedAt: '2026-11-21T10:15:00.000Z', range });
    expect(after).toEqual({ table: 'calls' });
  });

  it.each<[string, Partial<ReplayRequest>, Partial<ReplayRequest>, string]>([
    ['a sandbox', {}, { endpoint: 'http://localhost:3000' }, 'calls-1'],
    ['another sandbox', { endpoint: 'http://localhost:3000' }, { endpoint: 'http://localhost:3001' }, 'calls-1'],
    ['another stack', {}, { stack: 'callfeed-eu' }, 'calls-1'],
    ['a stack of the same name in another region', {}, { region: 'eu-west-1' }, 'calls-2'],
  ])('never resumes in %s', async (_title, options, resumed, calls) => {
    const resume = await interrupted(options);

    await expect(planReplay({ ...request, ...resumed, resume }, context(calls))).rejects.toMatchObject({
      message: `${resume} is from a replay of another deployment.`,
      exitCode: 2,
    });
  });

  it('rejects an existing --state file, except in a dry run', async () => {
    const state = newFile();
    writeFileSync(state, 'notes');

    await expect(planReplay({ ...request, ...range, state }, context('calls-1'))).rejects.toMatchObject({
      message: expect.stringContaining('exists already'),
      exitCode: 2,
    });
    expect((await planReplay({ ...request, ...range, state, dryRun: true }, context('calls-1'))).file).toBe(state);
    expect(readFileSync(state, 'utf8')).toBe('notes');
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
  it('lets the first pass at once and the others at even intervals', async () => {
    const { time, next } = paced();
    const passed: number[] = [];
    for (let count = 0; count < 4; count++) {
      await next();
      passed.push(time.now);
    }

    expect(passed).toEqual([1_000, 1_100, 1_200, 1_300]);
  });

  it('makes up for no unused time', async () => {
    const { time, next } = paced();
    await next();
    time.now += 5_000;
    await next();
    await next();

    expect(time.now).toBe(6_100);
  });
});

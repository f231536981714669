import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../../cli/frame/command.ts';
import { planReplay, type ReplayRequest, writeState } from '../../../cli/replay/replay.ts';
import { quarantineEntry, quarantineRow } from '../../../lib/callback/store-or-park.ts';
import { jsonLines } from '../support/cli-run.ts';
import { stubDeployment } from '../support/local-deployment.ts';
import { customer, startReadingDeployment } from '../support/reading-deployment.ts';

/** What a row has besides its deliveries. */
const written = { account: 'demo', callId: '9', revision: 1, version: 1, recordedAt: '2026-11-20T06:00:00.000Z' };

describe('callfeed erase', () => {
  let deployment: Awaited<ReturnType<typeof startReadingDeployment>>;

  beforeEach(async () => {
    deployment = await startReadingDeployment();
  });
  afterEach(() => deployment.stop());

  /** Two days later: the feed is stale, so nobody counts as logged in. */
  const later = () => new Date('2026-11-24T09:00:00.000Z');
  const at = (line: string, replaced: Partial<Context> = {}) =>
    deployment.at(line.split(' '), { clock: later, ...replaced });
  const one = async (line: string, replaced?: Partial<Context>) => jsonLines(await at(line, replaced))[0];

  it('erases an agent from the rows of agents, and keeps the timeline under the pseudonym', async () => {
    const day = (who: string) => one(`timeline ${who} --day 2026-11-22 --json`);
    const before = await day('zoe');
    const early = await at('erase --agent zoe --yes', { clock: () => new Date('2026-11-22T09:00:20.000Z') });
    expect([early.code, early.notes]).toEqual([1, expect.stringContaining('logged in')]);
    const done = await one('erase --agent zoe --yes --json');

    expect(done).toMatchObject({
      person: 'agent',
      account: 'demo',
      pseudonym: expect.stringMatching(/^erased-[0-9a-f]{8}$/),
      failed: 0,
      erased: { calls: 0, quarantine: 0, agents: 1, timeline: 1, snapshots: 1 },
    });
    const { lastKnownAgents: [...agents] = [] } = Object((await one('agents --json')) ?? {});
    expect(agents.map(({ agentId }: { agentId: string }) => agentId)).not.toContain('zoe');
    expect(await day(String(done?.['pseudonym']))).toEqual(
      JSON.parse(JSON.stringify(before).replaceAll('"zoe"', `"${done?.['pseudonym']}"`)),
    );
    expect((await day('zoe'))?.['intervals']).toEqual([]);
    expect((await at('erase --agent zoe --dry-run')).output).toBe('Would be erased: 0 rows.\n');
  });

  it('leaves nothing of a customer in a compressed entry of quarantine, and it can still be shown', async () => {
    const body = JSON.stringify({ CallerID: customer, Comments: 'x'.repeat(1_000_000) });
    const receivedAt = written.recordedAt;
    const row = quarantineRow(quarantineEntry({ reason: 'too-deep', account: 'demo', body, receivedAt }), 30);
    await deployment.put('quarantine', row);
    await at(`erase --customer ${customer} --yes`);

    expect(await one(`quarantine show ${row.id} --show-personal --json`)).toMatchObject({ body: 'erased' });
  });

  it('asks first, and says what nobody can erase and what waits in queues', async () => {
    const questions: string[] = [];
    const answering = (answer: string) => async (question: string) => {
      questions.push(question);
      return answer;
    };
    const line = `erase --customer ${customer}`;
    const refused = await at(line, { ask: answering('yes') });
    expect([refused.code, refused.notes]).toEqual([1, expect.stringContaining('Nothing was written.')]);
    deployment.queues.parking.send('{}', {}, 0);
    deployment.queues.deadLetters.send('{}', {}, 0);
    const connect = async () => ({ ...(await deployment.connect()), archiveDays: 30 });
    const done = await at('erase --customer -', {
      ask: answering('erase\n'),
      connect,
      readInput: async () => Buffer.from(`${customer}\n`),
    });

    expect(questions).toHaveLength(2);
    expect(done).toMatchObject({ code: 0, output: 'Erased: 1 row (calls 1).\n' });
    const archive = 'go by themselves: the archive of events, 30 days; backups .*recovery\\), 35 days;';
    const waiting = 'Parked: 1, which.*\\nDead letters: 1, which';
    for (const note of ['^Reads every row: about \\d+', archive, waiting]) expect(done.notes).toMatch(new RegExp(note));
    expect(done.output + done.notes + questions.join()).not.toContain(customer.slice(1));
  });

  it.each<[string, object, string | undefined]>([
    ['of another shape', { account: 'demo' }, 'demo'],
    ['of no account', {}, 'demo'],
    ['damaged', { ...written, deliveries: [{ id: '1', receivedAt: '', asSent: customer }] }, undefined],
  ])('erases the others, and names a row that is %s', async (_title, attributes, account) => {
    await deployment.put('calls', { pk: 'demo#9', sk: 'call', kind: 'call', ...attributes });
    const line = `erase --customer ${customer}${account === undefined ? '' : ` --account ${account}`}`;
    const named = '{"pk":"demo#9","sk":"call"} cannot be read';

    expect(await at(`${line} --dry-run`)).toMatchObject({
      code: 1,
      output: 'Would be erased: 1 row (calls 1).\n',
      notes: expect.stringMatching(`${named}[^]*Not all is found: 1 row cannot be read`),
    });
    const done = await at(`${line} --yes --json`);
    expect(done).toMatchObject({ code: 1, notes: expect.stringMatching(`${named}[^]*Not all is erased`) });
    expect(jsonLines(done)).toMatchObject([{ erased: { calls: 1 }, failed: 1 }]);
    expect(done.notes).not.toContain(customer);
    const connect = () => deployment.withTwoAccounts();
    const ofOther = await at(`erase --customer ${customer} --account other --dry-run`, { connect });
    expect(ofOther.code).toBe('account' in attributes ? 0 : 1);
  });

  it.each([
    [`--customer ${customer} --account Demo`, 2],
    [`--customer ${customer} --account demmo`, 2],
    ['--agent asha --account Demo', 2],
    ['--customer 0700000000 --account demo', 0],
    ['--agent nobody --account demo', 0],
  ])('finds nothing with %s, and ends with %i', async (line, code) => {
    const done = await at(`erase ${line} --yes`);

    expect([done.code, done.output]).toEqual([code, code === 0 ? 'Would be erased: 0 rows.\n' : '']);
    expect(done.notes.includes(`no account ${line.split(' ').at(-1)}. Rows are kept under`)).toBe(code === 2);
    expect(done.notes).not.toContain(customer);
  });

  it('stops in order, and names what failed', async () => {
    const stop = new AbortController();
    const interruption = () => stop.signal;
    const line = `erase --agent asha --account demo`;
    const stopping = async () => {
      stop.abort();
      return 'erase';
    };
    const stopped = await at(line, { ask: stopping, interruption });
    expect(stopped).toMatchObject({ code: 1, output: 'Erased: 0 rows.\n' });
    expect(stopped.notes).toContain('Not all is erased. To continue: the same command with --as erased-');
    expect((await at(`${line} --yes`, { interruption })).notes).toContain('Stopped; nothing was written.');

    const failingWith = async (name: string) => {
      const failing = await deployment.connect();
      failing.dynamodb.middlewareStack.add(
        (next, { commandName }) =>
          async (args) => {
            if (commandName === 'TransactWriteItemsCommand') throw Object.assign(new Error(customer), { name });
            return next(args);
          },
        { step: 'initialize' },
      );
      return at(`${line} --yes --as erased-00000000 --json`, { connect: async () => failing });
    };
    const rowsLeft = ({ notes }: { notes: string }) => notes.split('stays as it is').length - 1;
    const down = await failingWith('TimeoutError');
    expect([down.code, rowsLeft(down)]).toEqual([1, 1]);
    const failed = await failingWith('Odd');
    expect(rowsLeft(failed)).toBeGreaterThan(1);
    expect([failed.code, failed.notes]).toEqual([1, expect.stringMatching(/A row of timeline stays .* Odd\./)]);
    expect(failed.notes).not.toContain(customer);
    expect((await one(`${line} --yes --as erased-00000000 --json`))?.['failed']).toBe(0);
  });
});

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
  const sandboxAt = (port: number) => ({ endpoint: `http://localhost:${port}` });
  it.each<[string, boolean, Partial<ReplayRequest>, Partial<ReplayRequest>, string?]>([
    ['the same deployment', true, { stack: 'callfeed-eu' }, {}],
    ['the same deployment, named again', true, { stack: 'callfeed-eu' }, { stack: 'callfeed-eu' }],
    ['the same deployment with other credentials', true, { profile: 'a' }, { profile: 'b' }],
    ['the same sandbox', true, sandboxAt(3000), sandboxAt(3000)],
    ['a sandbox', false, {}, sandboxAt(3000)],
    ['another sandbox', false, sandboxAt(3000), sandboxAt(3001)],
    ['another stack', false, {}, { stack: 'callfeed-eu' }],
    ['a stack of the same name in another region', false, {}, { region: 'eu-west-1' }, 'calls-2'],
  ])('in %s resumes: %s', async (_title, resumes, options, resumed, calls = 'calls-1') => {
    const resume = await interrupted(options);
    const planned = planReplay({ ...request, ...resumed, resume }, context(calls));

    const state = { replayedAt: '2026-11-21T10:15:00.000Z', range, position: { table: 'calls' } };
    const message = `${resume} is from a replay of another deployment.`;
    if (resumes) expect((await planned).state).toMatchObject(state);
    else await expect(planned).rejects.toMatchObject({ message, exitCode: 2 });
  });

  it('rejects an existing --state file, except in a dry run', async () => {
    const state = newFile();
    writeFileSync(state, 'notes');

    const planned = (dryRun: boolean) => planReplay({ ...request, ...range, state, dryRun }, context('calls-1'));
    const message = expect.stringContaining('exists already');
    await expect(planned(false)).rejects.toMatchObject({ message, exitCode: 2 });
    expect((await planned(true)).file).toBe(state);
    expect(readFileSync(state, 'utf8')).toBe('notes');
  });
});

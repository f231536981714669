import { marshall } from '@aws-sdk/util-dynamodb';
import { describe, expect, it } from 'vitest';
import type { Context } from '../../../cli/frame/command.ts';
import type { Deployment } from '../../../cli/frame/deployment.ts';
import { progressOf } from '../../../cli/reconciliation/follow-run.ts';
import { secondsLeft } from '../../../cli/reconciliation/time-left.ts';
import { type Reconciliation, type Run, reconciliationRow } from '../../../functions/reconcile-calls/reconciliation.ts';
import { accountIndex } from '../../../lib/accounts/account-index.ts';
import { cli, jsonLines } from '../support/cli-run.ts';
import { account, stubDeployment } from '../support/local-deployment.ts';

const at = (seconds: number) => new Date(Date.parse('2026-11-22T09:00:00.000Z') + seconds * 1000).toISOString();
const days = Array.from({ length: 15 }, (_, age) => at(-86_400 * age).slice(0, 10));
const [today = '', yesterday = ''] = days;
const counts = { records: 6, calls: 5, known: 2, found: 2, completed: 1, unreadable: 0 };
const none: Reconciliation = { account: 'demo', version: 1, requests: [], access: 0, days: {} };
const run = (id: string, changes: Partial<Run> = {}): { readonly run: Run } => ({
  run: {
    id,
    isDryRun: false,
    isComplete: true,
    startedAt: at(-5),
    days: [today, yesterday],
    page: 1,
    step: 1,
    dueAt: at(0),
    soFar: counts,
    done: {},
    failures: 0,
    accessesTried: 0,
    skipped: [],
    ...changes,
  },
});
const ended = (id: string, done: Run['done'] = { [yesterday]: counts, [today]: { ...counts, unreadable: 1 } }) => ({
  lastRun: { id, isDryRun: false, endedAt: at(9), done },
});

interface Scene extends Partial<Context> {
  /** What each read finds, given the id of the run that was asked for; the last one stays. */
  readonly states?: (id: string) => readonly Partial<Reconciliation>[];
  readonly secondsPerRead?: number;
  readonly deployment?: Partial<Deployment>;
}

/** Runs the command against a deployment whose state changes from read to read. */
const reconcile = async (line: string, { states, secondsPerRead = 1, deployment, ...replaced }: Scene = {}) => {
  const sent: { readonly run: string }[] = [];
  const found = states ?? ((id: string) => [{}, {}, run(id), ended(id)]);
  let reads = 0;
  const send = async () => {
    const list = found(sent[0]?.run ?? '');
    reads += 1;
    const row = reconciliationRow({ ...none, version: reads, ...list[Math.min(reads, list.length) - 1] });
    return { Item: marshall(row, { removeUndefinedValues: true }) };
  };
  const sqs = {
    send: async ({ input }: { input: { MessageBody: string } }) => sent.push(JSON.parse(input.MessageBody)),
  };
  const connected = { ...stubDeployment(), dynamodb: { send }, sqs, ...deployment };
  const done = await cli(['reconcile', ...line.split(' ').filter(Boolean)], {
    connect: async () => connected as never,
    clock: () => new Date(at(reads * secondsPerRead)),
    ...replaced,
  });
  return { ...done, sent };
};

describe('callfeed reconcile', () => {
  it('asks for days, shows how far the run is, and prints a table', async () => {
    const { code, sent, output, notes, progress } = await reconcile('--last 2');

    expect(code).toBe(0);
    expect(sent).toEqual([
      { kind: 'start', account: 'demo', run: expect.any(String), days: [today, yesterday], isDryRun: false },
    ]);
    expect(progress).toEqual([
      'Waiting for the run to begin, for 0s',
      `0 of 2 days read, now page 1 of ${today}; about 4s left`,
    ]);
    expect(output).toMatch(
      /^DAY +IN THE REPORT +KNOWN +FOUND +COMPLETED +UNREADABLE\n2026-11-22 +5 +2 +2 +1 +1\n2026-11-21 /,
    );
    expect(notes).toBe(
      'Reading 2 days of demo (Asia/Kolkata): about 4s.\n10 calls in the report: 4 found and stored, 2 completed; 1 unreadable.\n',
    );
  });

  it('says with --dry-run what would be stored, and prints a line a day with --json', async () => {
    const states = (id: string) => [{}, ended(id, { [today]: counts })];
    const done = await reconcile('--day today --dry-run --json', { states });

    expect(done.sent).toMatchObject([{ days: [today], isDryRun: true }]);
    expect(jsonLines(done)).toEqual([{ account: 'demo', day: today, ...counts, isDryRun: true }]);
    expect(done.notes).toContain('5 calls in the report: 2 would be stored and 1 completed. Nothing was written.');
  });

  it('reads by default the days that are due', async () => {
    const finalDay = { ...counts, readAt: at(0) };
    const read = Object.fromEntries(days.slice(3).map((day) => [day, finalDay]));
    const states = (id: string) => [{ days: read }, ended(id)];

    expect((await reconcile('')).sent).toMatchObject([{ days }]);
    expect((await reconcile('', { states })).sent).toMatchObject([{ days: days.slice(0, 3) }]);
  });

  it('follows a run that is under way, and waits for its end where another one is wanted', async () => {
    const followed = await reconcile('', { states: () => [run('other'), run('other', { page: 2 }), ended('other')] });
    const failing = run('other', { failures: 1, failure: 'timeout', dueAt: at(62) });
    const waiting = (id: string) => [run('other'), failing, run(id), ended(id)];
    const waited = await reconcile('--dry-run', { states: waiting });

    expect(followed).toMatchObject({ code: 0, sent: [] });
    expect(followed.notes).toMatch(/^Following the run that is under/);
    expect(waited).toMatchObject({ code: 0, sent: [{ isDryRun: true }] });
    expect(waited.notes).toContain(', after the run that is under way.');
    expect(waited.progress[0]).toBe(
      `Another run comes first: 0 of 2 days read, now page 1 of ${today}; 1 failed request (timeout), next request in 1m 00s, about 1m 04s left`,
    );
  });

  it('ends with exit code 1 where a day was not read to its end, after its table, and says how far it was', async () => {
    const cut = { ...counts, records: 200, isCut: true, total: 230 };
    const states = (id: string) => [{}, ended(id, { [yesterday]: counts, [today]: cut })];
    const found = await reconcile('--last 2', { states });
    const json = await reconcile('--last 2 --dry-run --json', { states });
    const endless = { ...counts, records: 140, isCut: true };
    const partly = await reconcile('--day today', { states: (id) => [{}, ended(id, { [today]: endless })] });

    expect(found).toMatchObject({ code: 1, output: expect.stringMatching(/^DAY .*\n2026-11-22 +5 +2 +2 +1 +0\n/) });
    expect(found.notes).toMatch(
      /10 calls in the report: 4 found and stored, 2 completed\.\nNot read to the end: 2026-11-22 ended after 200 of 230 records\. The next run of the schedule reads that day again\./,
    );
    expect(jsonLines(json)).toMatchObject([{ day: today, isCut: true, records: 200, total: 230 }, { day: yesterday }]);
    const shrunk = { [today]: { ...counts, records: 6, readAt: at(9), shrankFrom: 9 } };
    const moved = await reconcile('--day today', {
      states: (id) => [{}, { ...ended(id, { [today]: counts }), days: shrunk }],
    });
    expect([json.code, partly.code, moved.code]).toEqual([1, 1, 1]);
    expect(moved.notes).toContain('Not read to the end: 2026-11-22 ended after 6 of 9 records.');
    expect(partly.notes).toContain('Not read to the end: 2026-11-22 ended after 140 records.');
  });

  const gaveUp = { problem: { reason: 'rejected', at: at(9) } } as const;
  const notRead =
    /^Reading .*\nThe run gave up at 2026-11-22T09:00:09.000Z \(rejected\)\. Not read: 2026-11-21\. The days above are done/;
  const idle = /Nothing has happened for 8m 20s: the function reconcile-calls takes no messages/;
  const isOff = /^This deployment does not reconcile\. Set “reconciliation” to hourly or daily/;
  const withoutAddress = { accounts: async () => accountIndex([account]) };
  it.each<[string, Scene, RegExp]>([
    ['the run gave up', { states: (id) => [{}, { ...ended(id, { [today]: counts }), ...gaveUp }] }, notRead],
    ['another run took its place', { states: (id) => [{}, run(id), run('other')] }, /another one took its place/],
    ['nobody takes its messages', { states: () => [{ version: 1 }], secondsPerRead: 250 }, idle],
    ['the user stops it', { interruption: () => AbortSignal.abort() }, /goes on by itself\. .* with “callfeed status”/],
    ['reconciliation is off', { deployment: { queues: { parking: '', deadLetters: '' } } }, isOff],
    ['the account has no address', { deployment: withoutAddress }, /^The account demo has no “baseUrl” in the secret/],
  ])('ends with exit code 1 and a reason: %s', async (_title, scene, notes) => {
    expect(await reconcile('--last 2', scene)).toMatchObject({ code: 1, notes: expect.stringMatching(notes) });
  });
});

describe('progressOf', () => {
  const failed = { failures: 1, failure: 'timeout', dueAt: at(60) };
  const second = { page: 2, soFar: { ...counts, records: 100 }, total: 230 };
  const limit = '(the service accepts two a minute)';
  it.each<[what: string, Partial<Run>, expected: string, arrivals?: readonly string[]]>([
    ['the next page', {}, 'page 1 of 2026-11-22; about 2s left'],
    [
      'an attempt after a failure',
      failed,
      'page 1 of 2026-11-22; 1 failed request (timeout), next request in 1m 00s, about 1m 02s left',
    ],
    [
      'the limit',
      { dueAt: at(-40) },
      `page 1 of 2026-11-22; next request in 10s ${limit}, about 12s left`,
      [at(-50), at(-50)],
    ],
    ['the rest of a day', second, 'page 2 of 2026-11-22 after 100 of 230 records; about 4s left'],
    [
      'the rest of a day, and the limit',
      { ...second, page: 3, soFar: { ...counts, records: 200 } },
      `page 3 of 2026-11-22 after 200 of 230 records; next request in 55s ${limit}, about 57s left`,
      [at(-5), at(-2)],
    ],
    [
      'the rest of a day that the service does not count',
      { ...second, total: 0 },
      'page 2 of 2026-11-22 after 100 records; about 2s left',
    ],
  ])('says what a run waits for: %s', (_title, changes, expected, arrivals = []) => {
    const state = { ...none, requests: arrivals.map((arrival) => Date.parse(arrival)) };
    const progress = progressOf(state, { ...run('r').run, days: [today], ...changes }, new Date(at(0)));

    expect(progress).toBe(`0 of 1 days read, now ${expected}`);
  });
});

describe('secondsLeft', () => {
  const now = new Date(at(0));
  const requests = [now.getTime() - 1_000, now.getTime()];
  const long = { ...counts, records: 900, readAt: at(0) };
  const hundred = { ...counts, records: 100 };
  const seconds = (days: readonly string[], state: Partial<Reconciliation> = {}, changes: Partial<Run> = {}) =>
    secondsLeft({ ...none, ...state }, { ...run('r').run, days: [...days], ...changes }, now);

  it.each([
    ['one request', seconds([today]), 2],
    ['a request that has to wait for two earlier ones', seconds([today], { requests }), 61],
    ['a request that is due later', seconds([today], {}, { dueAt: at(60) }), 62],
    ['fifteen days', seconds(days), 7 * 62 + 2],
    ['the second page of a day', seconds([today], { days: { [today]: long } }, { page: 2 }), 2],
    ['a day that took three pages', seconds([today], { days: { [today]: { ...long, pages: 3 } } }), 64],
    ['the pages of the day’s number', seconds([today], {}, { page: 2, soFar: hundred, total: 330 }), 64],
    ['at least one page', seconds([today], {}, { page: 5, soFar: hundred, total: 100 }), 2],
    [
      'days as long as those so far',
      seconds([today], {}, { done: { [yesterday]: { ...counts, records: 1_400 } } }),
      64,
    ],
  ])('counts the pages that are left against the limit: %s', (_title, found, expected) => {
    expect(found).toBe(expected);
  });
});

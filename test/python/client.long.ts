import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createCallfeedClient } from '../../client/index.ts';
import { localAccessKey, localRegion } from '../../sandbox/frame/local-aws.ts';
import { collected, feedWithNotes } from '../client/support/clients.ts';
import { type Deployment, deployment, noAnswer, success } from '../deployment/index.ts';
import { polledAccount } from '../fixtures/accounts.ts';
import { specificationSummary } from '../fixtures/calls.ts';
import { dynamodbEndpoint } from '../support/dynamodb-local.ts';
import { checkout } from '../support/packed-package.ts';
import { renormaliseAll } from '../support/run-here.ts';
import { callIdsOf, cases, days, receiptOf, sharedNumbers } from './cases.ts';

// The module in Python against the client in TypeScript, over the rows that the deployed functions make of made-up posts.

type Given = Readonly<Record<string, unknown>>;

/** A question to both, of an account at an instant. */
interface Question {
  readonly ask: 'floor' | 'call' | 'calls' | 'missedCalls';
  readonly given: Given;
  readonly account: string;
  readonly now: string;
}

let d: Deployment;
const end = '2026-11-21T06:00:00.000Z';

const toQuestion = (ask: Question['ask'], given: Given = {}, about: Partial<Question> = {}): Question => ({
  ask,
  given,
  account: 'demo',
  now: end,
  ...about,
});

/** The answer of the client in TypeScript, as JSON has it. */
const inTypeScript = async ({ ask, given, account, now }: Question, of = d) => {
  const client = createCallfeedClient({
    dynamodb: of.dynamodb,
    tables: of.tables,
    account,
    clock: () => new Date(now),
  });
  const asked = {
    floor: () => client.floor(),
    call: () => client.call(String(given['call_id'])),
    calls: () => collected(client.calls(given)),
    missedCalls: () => client.missedCalls(given),
  };
  return JSON.parse(JSON.stringify((await asked[ask]()) ?? null));
};

/** The answers of the module in Python, which is asked all at once. */
const inPython = async (questions: readonly Question[], of = d) => {
  const output = execFileSync(join(inject('pythonPrograms'), 'python'), [join(checkout, 'test/python/answers.py')], {
    input: JSON.stringify({ tables: of.tables, questions }),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    env: {
      ...process.env,
      PYTHONPATH: join(checkout, 'python'),
      PYTHONDONTWRITEBYTECODE: '1',
      AWS_ENDPOINT_URL_DYNAMODB: await dynamodbEndpoint(),
      AWS_DEFAULT_REGION: localRegion,
      AWS_ACCESS_KEY_ID: localAccessKey,
      AWS_SECRET_ACCESS_KEY: 'any',
    },
  });
  return JSON.parse(output);
};

/** Both answers to each question. */
const answersTo = async (questions: readonly Question[], of = d) => {
  const python = await inPython(questions, of);
  return Promise.all(
    questions.map(async (question, at) => ({
      question,
      python: python[at],
      typescript: await inTypeScript(question, of),
    })),
  );
};

interface Judged {
  readonly call: { readonly callId: string };
  readonly state: string;
}

/** What only one of them has: the caller in the words of the client, and whom the module leaves out. */
const common = ({ calls, leftOut: _leftOut, ...answer }: { readonly calls: readonly object[]; leftOut?: unknown }) => ({
  ...answer,
  calls: calls.map((one) => ({ ...one, caller: undefined })),
});

const statesOf = ({ calls }: { readonly calls: readonly Judged[] }, ids: readonly string[]): string =>
  calls
    .filter(({ call }) => ids.includes(call.callId))
    .map(({ state }) => state)
    .join(' ');

const timeZone = 'Asia/Kolkata';
const equalDay = { day: days.equal, timeZone };
const differentDay = { day: days.different, timeZone };

const agents = ['READY', 'ACW', 'Idle', 'BUSY', 'INCALL', 'calling', 'AUX', 'PAUSE', 'release', 'OFFLINE', 'Lunch'];
const logins = agents.map((AgentState, at) => ({
  AgentId: `agent ${at}`,
  AgentName: `Agent ${at}`,
  AgentState,
  SkillName: 'General, Support',
}));

beforeAll(async () => {
  const demo = { ...polledAccount, country: 'IN', sharedNumbers };
  const unpolled = { userName: 'unpolled', apiKeys: ['unpolled-key'], timeZone, token: { kind: 'none' } };
  d = await deployment({
    on: 'local',
    accounts: [demo, unpolled],
    startedAt: `${days.different}T00:00:00.000Z`,
  });
  const posts = cases.flatMap((each) => each.posts).map((post) => ({ at: receiptOf(post), post: post.post }));
  for (const { at, post } of posts.toSorted((a, b) => (a.at < b.at ? -1 : 1))) {
    if (at > d.now()) d.advance(at);
    expect(await d.post(post)).toMatchObject({ status: 200, quarantined: 0 });
  }
  await d.settled();
});
afterAll(() => d?.stop());

it('there are 40 cases or more, each with a name of its own', () => {
  expect(cases.length).toBeGreaterThanOrEqual(40);
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
});

describe('missed calls', () => {
  let answers: Awaited<ReturnType<typeof answersTo>>;
  beforeAll(async () => {
    d.advance('2026-11-21T05:00:00.000Z');
    d.service.answers({ logins: [success(logins)] });
    await d.poll();
    answers = await answersTo([
      toQuestion('missedCalls', equalDay),
      toQuestion('missedCalls', differentDay),
      toQuestion('missedCalls', { ...equalDay, open: true }),
      toQuestion('missedCalls', { ...equalDay, withinSeconds: 700 }),
      toQuestion('missedCalls', { ...equalDay, withinSeconds: 100_000 }),
      toQuestion('missedCalls', { ...equalDay, asOf: '2026-11-20T09:21:00+05:30' }),
      toQuestion('missedCalls', { from: '2026-11-20T09:00:00+05:30', to: '2026-11-20T09:10:00+05:30' }),
      toQuestion('missedCalls', { from: '2026-11-20T03:35Z' }),
      toQuestion('missedCalls', {}, { now: '2026-11-21T03:32:00.000Z' }),
      toQuestion('missedCalls', { day: '2026-11-19', timeZone }),
      toQuestion('missedCalls', { day: '2026-11-20', timeZone: 'America/New_York' }),
      toQuestion('missedCalls', {}, { account: 'unpolled' }),
    ]);
  });

  it.each(cases.map((each) => [each.name, each] as const))('%s', (_name, each) => {
    const { python, typescript } = answers[each.inPython === undefined ? 0 : 1] ?? {};

    expect(statesOf(typescript, callIdsOf(each))).toBe(each.states);
    expect(statesOf(python, callIdsOf(each))).toBe(each.inPython ?? each.states);
  });

  it('are the same in every respect, but for the cases of which the page says so', () => {
    for (const [at, { question, python, typescript }] of answers.entries())
      if (at !== 1) expect(common(python), JSON.stringify(question)).toEqual(common(typescript));
    expect(answers[0]?.typescript.waiting.length).toBeGreaterThan(14);
    expect(answers[8]?.typescript.calls.length).toBeGreaterThan(3);
  });

  it('say whom they leave out', () => {
    for (const { python } of answers.slice(0, 3)) {
      const ids = python.leftOut.map(({ call }: Judged) => call.callId);
      const waiting = python.waiting.flatMap(({ callIds }: { readonly callIds: readonly string[] }) => callIds);
      expect(waiting.filter((id: string) => ids.includes(id))).toEqual([]);
    }
    const { python } = answers[0] ?? {};
    expect(python.leftOut.map(({ state }: Judged) => state).toSorted()).toEqual([
      'erased',
      'no-number',
      'no-number',
      'shared-number',
    ]);
    expect(python.leftOut).toEqual(
      python.calls.filter(({ state }: Judged) => ['erased', 'no-number', 'shared-number'].includes(state)),
    );
  });

  it('differ as the page says', () => {
    const page = readFileSync(join(checkout, 'docs/consuming.md'), 'utf8');
    const [, section = ''] = page.split('\n## In Python\n');
    for (const { name, inPython: state } of cases) if (state !== undefined) expect(section).toContain(name);
  });

  it('differ after a correction of what numbers mean, until the calls are renormalised', async () => {
    const account = { ...polledAccount, country: 'IN' };
    const corrected = { ...account, country: 'GB' };
    const changing = await deployment({ on: 'local', accounts: [account], startedAt: '2026-11-20T06:00:00.000Z' });
    try {
      // Of India it is a mobile, and of Britain the one that the second call names.
      const missed = { Status: 'NotAnswered', Type: 'Inbound', CallerID: '07700900674' };
      const calledBack = { Type: 'Manual', CallerID: '+447700900674' };
      for (const [hour, fields] of [missed, calledBack].entries())
        await changing.post({
          ...specificationSummary,
          ...fields,
          monitorUCID: `${hour + 1}`,
          StartTime: `${days.equal} 0${hour + 8}:00:00`,
          EndTime: `${days.equal} 0${hour + 8}:04:00`,
        });
      changing.service.answers({ logins: [success(logins)] });
      await changing.poll();
      const states = async () => {
        const [answer] = await answersTo([toQuestion('missedCalls', equalDay)], changing);
        return [statesOf(answer?.typescript, ['1']), statesOf(answer?.python, ['1'])];
      };
      expect(await states()).toEqual(['open', 'open']);

      changing.putAccounts([corrected]);
      changing.restart();
      await changing.poll();
      expect(await states()).toEqual(['returned', 'open']);

      await renormaliseAll(changing, corrected);
      expect(await states()).toEqual(['returned', 'returned']);
    } finally {
      await changing.stop();
    }
  });

  it('differ where there are more calls than the client reads', async () => {
    const typescript = await inTypeScript(toQuestion('missedCalls', { ...equalDay, maxCalls: 9 }));

    expect(typescript).toEqual({ moreThan: 9, since: expect.any(String) });
    expect(answers[0]?.python.calls.length).toBeGreaterThan(9);
  });
});

describe('calls', () => {
  it('are the same of a day, of a range, without one, and by their recording', async () => {
    const ofDay = await answersTo([
      toQuestion('calls', equalDay),
      toQuestion('calls', { from: '2026-11-20T03:30:00Z', to: '2026-11-20T04:00:00.000Z' }),
      toQuestion('calls', { to: '2026-11-20T00:00:00Z' }),
      toQuestion('calls'),
      toQuestion('calls', { recordedFrom: '2026-11-20T03:40:00Z', recordedTo: '2026-11-20T12:30:00Z' }),
      toQuestion('calls', { recordedFrom: '2026-11-18T00:00:00Z' }),
      toQuestion('calls', {}, { account: 'unpolled' }),
    ]);
    for (const { question, python, typescript } of ofDay) expect(python, JSON.stringify(question)).toEqual(typescript);
    expect(ofDay.map(({ typescript }) => typescript.length > 4)).toEqual([true, true, true, true, true, true, false]);
    const late = cases.filter(({ name }) => name === 'recorded hours late').flatMap(callIdsOf);
    expect(ofDay[4]?.python[0].callId).toBe(late[0]);
  });

  it('are the same one by one, with legs, participants and deliveries', async () => {
    const ids = cases.flatMap(callIdsOf);
    const answers = await answersTo([...ids, 'none'].map((id) => toQuestion('call', { call_id: id })));

    for (const { question, python, typescript } of answers)
      expect(python, JSON.stringify(question)).toEqual(typescript);
    const found = answers.flatMap(({ python }) => python ?? []);
    expect(found).toHaveLength(ids.length);
    expect(found.filter(({ call }) => call === undefined)).toHaveLength(1);
    expect(found.filter(({ call }) => call?.legs !== undefined).length).toBeGreaterThan(2);
    expect(found.filter(({ participants }) => participants.length > 0)).toHaveLength(2);
    expect(found.map(({ call }) => call?.callId)).toContain('98765432109876543210');
  });
});

describe('the floor', () => {
  it('is the same with agents in every state, live, stale and interrupted, and of an account without polls', async () => {
    d.service.answers({ logins: [success(logins)] });
    await d.poll();
    const now = d.now();
    const later = new Date(Date.parse(now) + 40_000).toISOString();
    const polled = await answersTo([
      toQuestion('floor', {}, { now }),
      toQuestion('floor', {}, { now: later }),
      toQuestion('floor', {}, { account: 'unpolled' }),
    ]);
    d.service.answers({ logins: [success(logins.slice(1))] });
    await d.poll();
    const oneLess = await answersTo([toQuestion('floor', {}, { now: d.now() })]);
    d.service.answers({ logins: [noAnswer('connection'), noAnswer('connection'), noAnswer('connection')] });
    for (let slots = 0; slots < 3; slots++) await d.poll();
    // The first poll of an account is under way.
    const starting = { ...feedWithNotes, account: 'new', status: 'starting', asOf: undefined, staleAt: undefined };
    await d.put('agents', { ...starting, pk: 'new', sk: 'feed', kind: 'feed' });
    const interrupted = await answersTo([
      toQuestion('floor', {}, { now: d.now() }),
      toQuestion('floor', {}, { now: d.now(), account: 'new' }),
    ]);
    const all = [...polled, ...oneLess, ...interrupted];

    for (const { python, typescript } of all) expect(python).toEqual(typescript);
    expect(all.map(({ python }) => [python.freshness, (python.agents ?? python.lastKnownAgents ?? []).length])).toEqual(
      [
        ...[
          ['live', 11],
          ['stale', 11],
          ['none', 0],
          ['live', 10],
          ['stale', 10],
          ['none', 0],
        ],
      ],
    );
    expect(new Set(polled[0]?.python.agents.map(({ state }: { readonly state: string }) => state)).size).toBe(11);
  });
});

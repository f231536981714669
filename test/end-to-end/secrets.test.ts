import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Account } from '../../lib/accounts/accounts.ts';
import { slotSeconds } from '../../lib/agents/slot.ts';
import { decryptToken } from '../../lib/telephony/service/token.ts';
import { tokenKey } from '../../lib/telephony/service/token-cache.ts';
import { type Served, serve } from '../../sandbox/http/serve.ts';
import { type AnswerKind, answerKinds } from '../../sandbox/simulator/service/answer-quirks.ts';
import { kinds } from '../../sandbox/simulator/simulated-call.ts';
import { followStream } from '../deployment/local-dynamodb.ts';
import { specificationSummary } from '../fixtures/calls.ts';
import { type AgentsSandbox, startAgentsSandbox } from '../support/agents-sandbox.ts';
import { decompressed } from '../support/call-records.ts';
import { echoService } from '../support/local-servers.ts';

const keyOf = (userName: string) => `SENTINEL/key+with "odd" characters of ${userName}`;
const key = keyOf('demo');
const name = 'Zaphod Beeblebrox';
const phone = '09999912345';
const generate = { kind: 'generate' } as const;
const agreed = { kind: 'static', value: 'SENTINEL-agreed-token' } as const;

const account = (userName: string, token: Account['token'], baseUrl?: string): Account => ({
  userName,
  apiKeys: [keyOf(userName)],
  timeZone: 'Asia/Kolkata',
  token,
  ...(baseUrl !== undefined && { baseUrl }),
});

/** The accounts that the simulator serves, one for each way to get a token. */
const simulated = [account('demo', { kind: 'none' }), account('agreed', agreed), account('generated', generate)];

/** The problem at the end of each account that another service serves. Most services repeat in their answer what came. */
const problems = {
  nobody: 'connection',
  'echo-refusal': 'unauthorised',
  'echo-fault': 'http-error',
  'echo-redirect': 'redirect',
  // Its answers are good, but minutes pass without a poll.
  'echo-record': 'not-polled',
  // In the end these used up the ten tokens of an hour; of the first, none was one.
  'echo-no-token': 'no-token',
  'echo-bad-token': 'token-limit',
} as const;

const externalAccounts = (echoes: string): readonly Account[] => [
  account('nobody', agreed, 'http://127.0.0.1:9'),
  ...['echo-refusal', 'echo-fault', 'echo-redirect', 'echo-record'].map((userName) =>
    account(userName, agreed, `${echoes}/${userName}`),
  ),
  ...['echo-no-token', 'echo-bad-token'].map((userName) => account(userName, generate, `${echoes}/${userName}`)),
];

let sandbox: AgentsSandbox;
let echoes: Served;
const consoleLines: string[] = [];
const logged: string[] = [];

beforeAll(async () => {
  echoes = await serve(echoService({ name, phoneNumber: phone }));
  sandbox = await startAgentsSandbox({
    accounts: [...simulated, ...externalAccounts(echoes.url)],
    onLog: (line) => consoleLines.push(line),
    onFunctionOutput: (_name, text) => logged.push(text),
  });
});
afterAll(async () => {
  await sandbox.stop();
  await echoes.close();
});

const scan = async (TableName: string) => (await sandbox.dynamodb.send(new ScanCommand({ TableName }))).Items ?? [];

const provider = (path: string, init?: RequestInit) => fetch(`${sandbox.addresses.provider}/_simulator${path}`, init);

/** Every change of the agents' table so far. A marker row, written last, shows when all were read. */
const changesOfAgents = async (): Promise<readonly unknown[]> => {
  const { dynamodb, addresses } = sandbox;
  const changes: unknown[] = [];
  const seen = new Set<string>();
  const stream = await followStream(
    dynamodb,
    { endpoint: addresses.dynamodb, table: 'callfeed-agents' },
    ({ dynamodb: change }) => {
      changes.push(change);
      seen.add(change?.Keys?.['pk']?.S ?? '');
    },
  );
  const Item = { pk: { S: 'mark' }, sk: { S: 'mark' } };
  await dynamodb.send(new PutItemCommand({ TableName: 'callfeed-agents', Item }));
  await stream.until(() => seen.has('mark'));
  stream.close();
  return changes;
};

/** The places around a text, by which a leak is found. */
const leaksOf = (secret: string, texts: readonly string[]): readonly string[] =>
  texts.flatMap((text) => {
    const at = text.indexOf(secret);
    return at < 0 ? [] : [text.slice(Math.max(0, at - 60), at + secret.length + 60)];
  });

describe('posted calls', () => {
  const summary = {
    ...specificationSummary,
    Apikey: key,
    CallerID: phone,
    Comments: `call ${phone} with ${key}`,
  };
  const json = JSON.stringify(summary);
  const formType = 'application/x-www-form-urlencoded';
  const form = (data: string) => `data=${encodeURIComponent(data)}`;
  const replies: string[] = [];

  /** The same summary in every form that is accepted, and in many that are rejected. */
  const posts: readonly (readonly [body: string, contentType?: string, query?: string])[] = [
    [form(json)],
    [json, 'application/json'],
    [JSON.stringify({ data: json, Apikey: key }), 'application/json'],
    ['', formType, `?${form(json)}`],
    [form(json.slice(0, -20))],
    [form(json.slice(0, json.indexOf('SENTINEL') + 12))],
    [form(JSON.stringify({ event: 'popup', apiKey: key, callerID: phone }))],
    [form(JSON.stringify([summary, { odd: key }, 7]))],
    [form(JSON.stringify({ ...summary, Apikey: 'wrong', Comments: key }))],
    [form(JSON.stringify({ ...summary, UserName: phone }))],
    [form(JSON.stringify({ Apikey: [key], x: { apikey: { v: key } } }))],
    [`${form(json)}&${form(json)}`],
    [`Apikey=${encodeURIComponent(key)}&x=1`],
    [json, 'text/plain'],
    [form(json.replace('"Status"', '"__proto__"'))],
  ];

  const post = async (body: string, contentType = formType, query = '') => {
    const headers = { 'content-type': contentType };
    const answer = await fetch(`${sandbox.addresses.callbacks}${query}`, { method: 'POST', headers, body });
    replies.push(await answer.text());
  };

  /** A message that recovery could not store is visible again after two seconds. To receive it also wakes recovery. */
  const receiveParked = async (): Promise<readonly string[]> => {
    vi.setSystemTime(Date.now() + 2_000);
    const QueueUrl = sandbox.addresses.parkingQueue;
    const all = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, VisibilityTimeout: 0 });
    return ((await sandbox.sqs.send(all)).Messages ?? []).map(({ Body = '' }) => Body);
  };

  const soon = { timeout: 15_000 };

  it('leave no key anywhere, and no telephone number in a log', async () => {
    for (const each of posts) await post(...each);
    await Promise.all(kinds.map((kind) => provider('/calls', { method: 'POST', body: JSON.stringify({ kind }) })));
    await sandbox.setFault('dynamodb', 'error');
    await post(form(JSON.stringify({ ...summary, monitorUCID: '77' })));
    await post(form(JSON.stringify({ event: 'screen pop', apiKey: key, callerID: phone })));
    const queued = new Set<string>();
    await expect
      .poll(async () => {
        for (const body of await receiveParked()) queued.add(body);
        // On a busy machine an earlier call may be parked as well.
        return ['"callId":"77"', '"not-a-call-summary"'].filter((part) =>
          [...queued].some((body) => body.includes(part)),
        );
      }, soon)
      .toHaveLength(2);
    expect([...queued].join('')).toContain(phone);
    await sandbox.setFault('queue', 'error');
    await post(form(JSON.stringify({ ...summary, monitorUCID: '78' })));
    for (const fault of ['dynamodb', 'queue']) await sandbox.setFault(fault, 'none');
    await expect
      .poll(async () => {
        await receiveParked();
        return (await sandbox.state()).parked;
      }, soon)
      .toBe(0);

    const rows = [await scan('callfeed-calls'), await scan('callfeed-quarantine')].map((items) =>
      JSON.stringify(items),
    );
    const events = await (await fetch(sandbox.addresses.events)).text();
    const logs = [...consoleLines, ...logged];
    expect([...rows, events, ...queued].join('').length).toBeGreaterThan(50_000);
    expect(logged.join('').length).toBeGreaterThan(1_000);
    const everything = [...rows, events, ...queued, ...logs, ...replies, JSON.stringify(await sandbox.state())].map(
      decompressed,
    );
    expect(leaksOf('SENTINEL', everything)).toEqual([]);
    expect(leaksOf(phone, logs)).toEqual([]);
    expect(rows[0]).toContain(phone);
  });
});

describe('polled agents', () => {
  /** The encrypted token of an account in the table. */
  const tokenOf = async (userName: string) => {
    const { pk, sk } = tokenKey(userName);
    const row = await sandbox.row(pk, sk);
    return decryptToken(String(row?.['encryptedToken']), keyOf(userName));
  };

  const lastProblems = async () => {
    const feeds = Object.keys(problems).map(async (userName) => {
      const { lastProblem } = (await sandbox.row(userName, 'feed')) ?? {};
      return [userName, Object(lastProblem).reason];
    });
    return Object.fromEntries(await Promise.all(feeds));
  };

  /** Every kind of answer comes once; those that reject a token come to the account whose tokens are generated. */
  const answers: Readonly<Record<string, readonly AnswerKind[]>> = {
    demo: answerKinds.filter((_, index) => index % 2 === 0),
    agreed: answerKinds.filter((_, index) => index % 2 === 1),
    generated: ['401-status-false', 'no-data-found', 'invalid-text', '401-status-false'],
  };

  /** So many polls use up the tokens of an hour, and are so far apart that no back-off is longer. */
  const polls = 11;
  const secondsApart = 21 * slotSeconds;

  it('leave no key or token anywhere, and no name or number in a log', async () => {
    const userNames = simulated.map(({ userName }) => userName);
    for (const userName of userNames)
      await sandbox.script({ action: 'log-in', account: userName, agentId: 'zaphod', name, phoneNumber: phone });
    // Late in a slot, so that no slot sees a second try.
    vi.setSystemTime(Date.now() + 12_000);
    const tokens = new Set<string | undefined>();
    for (let poll = 0; poll < polls; poll++) {
      for (const userName of userNames) {
        const kind = answers[userName]?.[poll];
        const body = JSON.stringify({ kind, account: userName, seconds: 0.1 });
        if (kind !== undefined) await provider('/answers', { method: 'POST', body });
        await sandbox.script({ action: 'set-state', account: userName, agentId: 'zaphod', state: `State ${poll}` });
      }
      await sandbox.poll(secondsApart);
      tokens.add(await tokenOf('generated'));
    }
    await sandbox.poll(secondsApart);

    const changes = await changesOfAgents();
    const stored = [...(await scan('callfeed-agents')), ...changes, ...(await sandbox.events())].map((each) =>
      JSON.stringify(each),
    );
    const pages = await Promise.all(
      [await fetch(sandbox.addresses.sandbox), await fetch(sandbox.addresses.agents), await provider('')].map(
        (answer) => answer.text(),
      ),
    );

    expect(await lastProblems()).toEqual(problems);
    expect(tokens.size).toBeGreaterThan(2);
    expect([...tokens]).not.toContain(undefined);
    const secrets = ['SENTINEL', Buffer.from(key).toString('base64').slice(0, -4), ...tokens].map(String);
    for (const secret of secrets)
      expect(leaksOf(secret, [...stored, ...pages, ...consoleLines, ...logged])).toEqual([]);
    for (const person of [name, phone]) {
      expect(stored.filter((text) => text.includes(person)).length).toBeGreaterThan(50);
      expect(leaksOf(person, [...consoleLines, ...logged])).toEqual([]);
    }
    expect(logged.join('')).toMatch(/"function":"poll-agents".*"function":"publish-changes"/s);
  });
});

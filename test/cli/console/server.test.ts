import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { QueryCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { describe, expect, it, onTestFinished } from 'vitest';
import { pageAssets } from '../../../cli/console/assets.ts';
import { consoleHandler, serveConsole } from '../../../cli/console/serve.ts';
import { features } from '../../../cli/features.ts';
import type { Deployment } from '../../../cli/frame/deployment.ts';
import type { Read } from '../../../client/index.ts';
import { quarantineEntry, quarantineRow } from '../../../lib/callback/store-or-park.ts';
import { cli, jsonLines } from '../support/cli-run.ts';
import { forThisFile, serveForThisFile } from '../support/local-deployment.ts';
import { callWithAllFields, customer, sentinel, startReadingDeployment } from '../support/reading-deployment.ts';

const token = 'T0KEN-of-these-tests';
const now = new Date('2026-11-22T09:00:20.000Z');
const deployment = await forThisFile(startReadingDeployment());
let reads: Read[] = [];
const location = { stack: 'callfeed-test', region: 'eu-west-1' };
const bus = { kind: 'event-bridge', name: 'bus', client: new EventBridgeClient() } as const;

const settings = { deployment: { ...(await deployment.connect()), bus }, location, clock: () => now, token, features };
const hidden = await serveForThisFile({ ...settings, isPersonal: false, onRead: (read) => reads.push(read) });
const personal = await serveForThisFile({ ...settings, isPersonal: true });

/** Serves a console for one test. */
const serve = async (connected: Deployment, changes: Partial<Parameters<typeof serveConsole>[0]> = {}) => {
  const settings = {
    deployment: connected,
    location,
    clock: () => now,
    isPersonal: false,
    token,
    features,
    ...changes,
  };
  const served = await serveConsole(settings, 0);
  onTestFinished(() => served.close());
  return served;
};

/** A client of AWS that sends through a function. */
const sendingBy = <Client extends object>(client: Client, send: (...args: readonly never[]) => unknown): Client =>
  new Proxy(client, { get: (whole, name) => (name === 'send' ? send : Reflect.get(whole, name)) });

interface Answered {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** Sends exactly this path and these headers, which `fetch` would tidy up. */
const send = (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET'): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(hidden.url);
    const sent = request({ hostname, port, path, method, headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        text += chunk;
      });
      response.on('end', () => resolve({ status: response.statusCode, headers: response.headers, text }));
    });
    sent.on('error', reject);
    sent.end();
  });

const ask = async (path: string, from = hidden) => {
  const answer = await fetch(`${from.url}console/api/${path}`);
  return { status: answer.status, text: await answer.text() };
};

const at = (rest: string) => `/${token}/${rest}`;
const feed = at('console/api/feed');

describe('a request that is not the page’s', () => {
  const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
  it.each<[string, string, Record<string, string>, number, string?]>([
    ['without the token', '/console/api/feed', {}, 404],
    ['for the page without the token', '/', {}, 404],
    ['with a wrong token', '/T0KEN-of-these-testz/console/api/feed', {}, 404],
    ['with the token as a query', `/console/api/feed?token=${token}`, {}, 404],
    ['to a name that resolves to this machine', feed, { host: 'attacker.example' }, 403],
    ['to another port', feed, { host: '127.0.0.1:1' }, 403],
    ['from another origin', feed, { origin: 'https://attacker.example' }, 403],
    ['from a page of another port', feed, { origin: 'http://127.0.0.1:1' }, 403],
    ['from no origin of a frame', feed, { origin: 'null' }, 403],
    ['that another site’s page makes', feed, { 'sec-fetch-site': 'cross-site' }, 403],
    ['that another site’s page navigates to', feed, link, 403],
    ['for a file outside', at('console/../../../package.json'), {}, 404],
    ['for a file outside, encoded', at('console/%2e%2e/%2e%2e/package.json'), {}, 404],
    ['for a source of the page', at('console/page/main.tsx'), {}, 404],
    ['for an inherited name', at('console/api/constructor'), {}, 404],
    ['for an inherited file', at('__proto__'), {}, 404],
    ['for nothing there is', at('console/api/x'), {}, 404],
    ['for a sandbox’s controls', at('console/api/sandbox'), {}, 404],
    ['to post', feed, {}, 403, 'POST'],
    ['to post from the page', feed, { own: 'origin' }, 405, 'POST'],
    ['to delete', feed, {}, 405, 'DELETE'],
    ['to delete the page', at('console/main.js'), {}, 405, 'DELETE'],
  ])('%s gets nothing', async (_what, path, headers, status, method = 'GET') => {
    const { origin } = new URL(hidden.url);
    const answer = await send(path, 'own' in headers ? { origin } : headers, method);

    expect(answer.status).toBe(status);
    expect(answer.text).not.toMatch(/asOf|name|import/);
  });

  it('is a link from elsewhere to the page, which opens', async () => {
    expect((await send(at(''), link)).status).toBe(200);
  });
});

it('a console on port 80 has an address without the port', async () => {
  const handle = consoleHandler({ ...settings, token: undefined, isPersonal: false });
  const statusFor = async (host: string) => {
    const statuses: number[] = [];
    const answer = { writeHead: (status: number) => statuses.push(status) && answer, end: () => answer };
    const asked = { url: '/', method: 'GET', headers: { host }, socket: { localPort: 80 } };
    const { signal } = new AbortController();
    await handle(asked as unknown as IncomingMessage, answer as unknown as ServerResponse, signal);
    return statuses;
  };
  expect([await statusFor('127.0.0.1'), await statusFor('attacker.example')]).toEqual([[200], [403]]);
});

describe('the page', () => {
  it.each(['', 'console/main.js', 'console/main.css', 'console/api/feed', 'console/api/x'])(
    'may load nothing from elsewhere, says %s',
    async (path) => {
      const { headers } = await send(at(path));

      expect(headers).toMatchObject({
        'content-security-policy': expect.stringMatching(
          /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';.*frame-ancestors 'none'$/,
        ),
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-resource-policy': 'same-origin',
        'cache-control': 'no-store',
      });
    },
  );

  it('has at most 150 KB gzipped in all, and no address of another machine', async () => {
    const files = Object.values(await pageAssets()).map(({ body }) => body);

    expect(gzipSync(files.join('')).length).toBeLessThan(150 * 1024);
    expect(files.join('').match(/https?:\/\/(?!www\.w3\.org\/)[^\s"'`]+/g)).toBeNull();
  });
});

const views: readonly (readonly [path: string, calls: number, agents: number])[] = [
  ['feed', 0, 1],
  ['floor', 0, 1],
  ['floor?at=2026-11-22T09:00:00Z', 0, 1],
  ['history', 0, 1],
  ['calls?day=2026-11-21', 2, 0],
  ['calls?day=yesterday', 2, 0],
  ['calls?day=2026-11-21&counted=missed&type=inbound&skill=Sales&campaign=x', 2, 0],
  ['calls?day=2026-11-21&agent=asha', 2, 0],
  [`call?id=${callWithAllFields}`, 1, 0],
  ['agent?id=asha&day=2026-11-22', 0, 2],
  ['agent-now?id=asha', 0, 1],
  ['health', 0, 2],
];

describe('an answer', () => {
  it.each(views)('%s takes at most two reads of each table', async (path, calls, agents) => {
    reads = [];
    const { status } = await ask(path);

    expect(status).toBe(200);
    const count = (table: Read['table']) => reads.filter((read) => read.table === table).length;
    expect([count('calls') <= calls, count('agents') <= agents, reads.length <= 2]).toEqual([true, true, true]);
  });

  const paths = [
    ...views.map(([path]) => path),
    'about',
    'operations',
    'day?day=2026-11-21',
    'day-csv?day=2026-11-21&by=agent',
    'calls-csv?day=2026-11-21',
    'quarters?day=2026-11-21',
  ];

  it.each([
    ...paths.map((path) => ({ path, failing: path === 'about' ? 'the accounts' : 'its own reads' })),
    { path: 'feed', failing: 'the accounts' },
  ])('$path is the same after $failing failed', async ({ path, failing: part }) => {
    const connected = await deployment.connect();
    let isDown = true;
    const down = () => Promise.reject(new Error('Down'));
    const failing = <Client extends object>(client: Client & { readonly send: (...all: never[]) => unknown }) =>
      sendingBy(client, (...args) => (isDown ? down() : client.send(...args)));
    const console = await serve(
      {
        ...connected,
        bus,
        dynamodb: failing(connected.dynamodb),
        sqs: failing(connected.sqs),
        // Without the accounts no answer comes as far as its own reads.
        accounts: () => (isDown && part === 'the accounts' ? down() : connected.accounts()),
      },
      { clock: () => new Date(now.getTime() - (isDown ? 600_000 : 0)) },
    );

    const failed = await ask(path, console);
    isDown = false;
    expect(failed.text).not.toBe((await ask(path)).text);
    // The calls of a day are counted while nobody waits for it.
    const isSame = async () => (await ask(path, console)).text === (await ask(path)).text;
    await expect.poll(isSame, { timeout: 30_000 }).toBe(true);
  });

  it.each(paths)('%s shows nothing personal', async (path) => {
    expect((await ask(path)).text).not.toMatch(sentinel);
  });

  it('an agent’s day hides the states as they were sent', async () => {
    const { intervals } = JSON.parse((await ask('agent?id=asha&day=2026-11-22')).text);
    expect(intervals[0]).toMatchObject({ state: expect.any(String), stateAsSent: '(hidden)' });
  });

  it.each([
    'floor',
    `call?id=${callWithAllFields}`,
    `as-sent?id=${callWithAllFields}`,
    `calls?day=2026-11-21&customer=${customer}`,
    `calls-csv?day=2026-11-21&customer=${customer}`,
  ])('%s shows it where the console was started so', async (path) => {
    expect((await ask(path, personal)).text).toMatch(sentinel);
  });

  it.each([
    [`as-sent?id=${callWithAllFields}`, 400, /--personal/],
    [`calls?customer=${customer}`, 400, /--personal/],
    [`calls-csv?customer=${customer}`, 400, /--personal/],
    ['quarantined?id=x', 400, /--personal/],
    ['call?id=1', 400, /no such call/],
    ['call', 400, /Wrong: id\./],
    ['floor?at=yesterday', 400, /./],
    ['floor?at=2100-01-01T00:00:00Z', 400, /in the past/],
    ['calls?day=2026-02-30', 400, /day/],
    ['calls?cursor=x', 400, /cursor/],
    ['feed?account=other', 400, /no such account/],
    ['feed?x=1', 400, /Wrong: a name\./],
    // They would count the calls of all customers.
    [`waiting?customer=${customer}`, 400, /Wrong: a name\./],
    [`quarters?day=2026-11-21&customer=${customer}`, 400, /Wrong: a name\./],
    ['calls?day=2026-11-21&within=20.5', 400, /Wrong: within \(a whole number of seconds, from 0 to 3,600\)\.$/],
    ['calls?day=2026-11-21&slower=-5', 400, /Wrong: slower \(a whole number of seconds, from 0 to 3,600\)\.$/],
    ['calls?day=2026-11-21&state=x', 400, /Wrong: state \(.*"open"/],
    ['day?day=2026-11-21&within=3601', 400, /Wrong: within \(a whole number of seconds, from 0 to 3,600\)\.$/],
  ])('to %s says what is wrong, and no value', async (path, status, message) => {
    const answer = await ask(path);

    expect(answer.status).toBe(status);
    expect(JSON.parse(answer.text).message).toMatch(message);
    expect(answer.text).not.toMatch(sentinel);
  });
});

it('a list has talk time and recordings, whose rows are read once', async () => {
  const list = async () => JSON.parse((await ask('calls?day=2026-11-21')).text);
  const { calls } = await list();

  const call = calls.find(({ callId }: { callId: string }) => callId === callWithAllFields);
  expect(call).toMatchObject({ recordings: ['(hidden)'] });
  reads = [];
  await list();
  expect(reads).toMatchObject([{ operation: 'Query', table: 'calls', index: 'byTime' }]);
});

it('a file of calls is what the command prints, and breaks off where a read fails in its middle', async () => {
  const connected = await deployment.connect();
  const ofDay = ['calls', '--day', '2026-11-21', '--missed'];
  const { output } = await cli([...ofDay, '--csv'], { connect: async () => connected, clock: () => now });
  const file = await send(at('console/api/calls-csv?day=2026-11-21&counted=missed'));
  expect(file.text).toBe(output);
  const [head = ''] = output.split('\r\n');
  const before = 'account,callId,revision,';
  expect(head).toMatch(new RegExp(`^\uFEFF${before}.*,listedAt,firstRecordedAt,customerNumberE164,localTime,`));
  expect(head).toMatch(
    /,localTime,timeToAnswerSeconds,durationSeconds,state,answeredAfterSeconds,answeredByCallId,recordings,lastedSeconds$/,
  );
  expect(file.headers['content-disposition']).toBe('attachment; filename="callfeed-calls-2026-11-21.csv"');
  const ofDays = 'from=2026-11-19T18:30:00Z&to=2026-11-21T18:29:59Z';
  expect((await send(at(`console/api/calls-csv?${ofDays}`))).headers['content-disposition']).toBe(
    'attachment; filename="callfeed-calls-2026-11-20-to-2026-11-21.csv"',
  );

  let pages = 0;
  const sendFirst = async (command: QueryCommand) => {
    if (command.input.IndexName === undefined) return await connected.dynamodb.send(command);
    pages += 1;
    if (command.input.ExclusiveStartKey !== undefined) throw new Error('Down');
    const page = await connected.dynamodb.send(command);
    return { ...page, LastEvaluatedKey: page.Items?.at(0) };
  };
  const broken = await serve({ ...connected, bus, dynamodb: sendingBy(connected.dynamodb, sendFirst) });
  await expect(ask('calls-csv?day=2026-11-21&counted=answered', broken)).rejects.toThrow();
  expect(pages).toBe(2);
});

it.each([
  ['as it was sent', customer, 1],
  ['with the code of a country', '+91 98765-12345', 1],
  ['by its last digits', '2345', 1],
  ['and nobody by too few digits', '345', 0],
])('a caller is found over all days %s', async (_title, typed, count) => {
  const { status, text } = await ask(`customer?number=${encodeURIComponent(typed)}`, personal);
  const { calls, numbers, searched } = JSON.parse(text);

  expect(status).toBe(200);
  expect(numbers).toEqual(count > 0 ? [customer] : []);
  expect(calls).toHaveLength(count);
  expect(searched).toBeGreaterThan(5);
  expect((await ask(`customer?number=${encodeURIComponent(typed)}`)).status).toBe(400);
});

describe('the health of a deployment', () => {
  const operations = async (connected: Deployment) => {
    const console = await serve(connected);
    const [about, answer] = await Promise.all(['about', 'operations'].map((path) => ask(path, console)));
    const { cards } = JSON.parse(answer?.text ?? '');
    const card = (title: string) => cards.find((one: { readonly title: string }) => one.title === title);
    return { about: JSON.parse(about?.text ?? ''), card };
  };

  it('tells that callbacks stopped, that events are held up, and how a command finds the same deployment', async () => {
    const heldUpAt = new Date(now.getTime() - 60_000).toISOString();
    const silentSince = new Date(now.getTime() - 600_000).toISOString();
    const connected = await deployment.withCallbacks({ lastReceivedAt: undefined, silentSince, heldUpAt });
    const { about, card } = await operations(connected);

    expect(about.commandOptions).toEqual(['--stack', 'callfeed-test', '--region', 'eu-west-1']);
    // Calls that ended before the publisher was held up prove nothing.
    const starting = (text: string) => expect.stringMatching(new RegExp(`^${text}`));
    const unknown = ['None is known yet.', starting('Later ones')];
    expect(card('Callbacks')).toMatchObject({ verdict: 'unknown', lines: unknown });
    const heldUp = [
      ['Events are held up, last seen at', heldUpAt],
      starting('It is over if .* Either the bus rejects events, or '),
    ];
    expect(card('Publishing')).toMatchObject({ verdict: 'bad', lines: heldUp });
    const silent = await operations(await deployment.withCallbacks({ lastReceivedAt: undefined, silentSince }));
    const none = [[starting('No callback'), silentSince], ...Array(2).fill(expect.any(String))];
    expect(silent.card('Callbacks')).toMatchObject({ verdict: 'bad', lines: none });
  });

  it('tells how much waits in each queue, with a command where one helps, and does not praise what it has not counted', async () => {
    const connected = await deployment.connect();
    const forwarding = { queue: 'forwarding', deadLetters: 'dead' };
    const withDepths = (depths: Readonly<Record<string, number>>): Deployment => ({
      ...connected,
      bus,
      queues: { parking: 'parking', deadLetters: 'letters', forwarding },
      sqs: sendingBy(connected.sqs, async ({ input }: { readonly input: { readonly QueueUrl: string } }) => ({
        Attributes: { ApproximateNumberOfMessages: String(depths[input.QueueUrl] ?? 0) },
      })),
      dynamodb: sendingBy(connected.dynamodb, (command: { readonly input: { readonly TableName: string } }) =>
        command.input.TableName === deployment.tables.quarantine
          ? Promise.resolve({ Items: [], ScannedCount: 0, LastEvaluatedKey: { id: { S: 'x' } } })
          : connected.dynamodb.send(command as QueryCommand),
      ),
    });
    const { card: empty } = await operations(withDepths({}));
    const { card: full } = await operations(withDepths({ parking: 2, letters: 1, forwarding: 3, dead: 2 }));
    const { card: waiting } = await operations(withDepths({ forwarding: 3 }));
    const queues = ['Parked', 'Dead letters', 'Forwarding'];

    const verdicts = [...queues, 'Quarantine'].map((title) => empty(title).verdict);
    expect(verdicts).toEqual(['good', 'good', 'good', 'unknown']);
    const about = (text: string) => expect.stringMatching(`^About ${text}`);
    const deliveries = [about('2 deliveries could not'), about('3 deliveries wait')];
    expect(queues.map(full)).toMatchObject([
      { verdict: 'bad', lines: [about('2 messages wait .* every six minutes for a day\\. .*#parked-overdue\\.$')] },
      { verdict: 'bad', command: ['dead-letters', 'redrive', 'parked'] },
      { verdict: 'bad', lines: deliveries, command: ['dead-letters', 'list', 'forwarded'] },
    ]);
    expect(waiting('Forwarding')).toMatchObject({ verdict: 'unknown', lines: [about('3')] });
    const { card: off } = await operations({ ...connected, queues: { parking: 'p', deadLetters: 'd' } });
    expect([off('Forwarding'), off('Reconciliation').verdict]).toEqual([undefined, 'unknown']);
  });

  it.each([
    [[5, 20], true],
    [[4, 4], false],
    [[5, 25], false],
  ] as const)('tells whether the report alone has too many calls: %j', async ([found, calls], areCallbacksMissing) => {
    const day = { readAt: now.toISOString(), records: calls, known: calls - found, completed: 0, unreadable: 0 };
    const days = {
      '2026-11-21': { ...day, calls, found },
      '2026-11-01': { ...day, calls: 100, found: 100 },
      '2026-11-20': { ...day, calls: 0, found: 0 },
    };
    const { card } = await operations(await deployment.withReconciliation({ days }));

    expect(card('Reconciliation').verdict).toBe(areCallbacksMissing ? 'bad' : 'good');
  });

  it('tells whether a day of the report was not read to its end', async () => {
    const day = { readAt: now.toISOString(), records: 9, calls: 9, known: 9, found: 0, completed: 0, unreadable: 0 };
    const days = { '2026-11-21': day, '2026-11-20': { ...day, isCut: true, total: 20 } };
    const { card } = await operations(await deployment.withReconciliation({ days }));

    const cut = expect.stringMatching(
      /^Not read to the end: 2026-11-20 ended after 9 of 20 records\. .*runbook\.md#rec/,
    );
    const lines = expect.arrayContaining([cut]);
    expect(card('Reconciliation')).toMatchObject({ verdict: 'bad', lines });
  });

  it('counts what came to the secret address, and as “status” nothing of a stranger, which an earlier version kept', async () => {
    const entry = { reason: 'unknown-key', body: '{"monitorUCID":"1"}', receivedAt: now.toISOString() } as const;
    for (const from of [{}, { viaSecret: true, body: '{"monitorUCID":"2"}' }, { account: 'demo' }] as const)
      await deployment.put('quarantine', quarantineRow(quarantineEntry({ ...entry, ...from }), 30));
    const { card } = await operations(await deployment.connect());
    const [status] = jsonLines(await deployment.at(['status', '--json']));

    expect(card('Quarantine').reasons).toMatchObject([{ reason: 'unknown-key', count: 2 }]);
    expect(status).toMatchObject({ quarantine: { entries: 2 } });
  });
});

describe('without the right to read the secret', () => {
  const withoutSecret = async () => ({
    ...(await deployment.connect()),
    accounts: async () => {
      const message = 'User: arn:x is not authorized to perform: secretsmanager:GetSecretValue';
      throw Object.assign(new Error(message), { name: 'AccessDeniedException' });
    },
  });
  const answers = async (changes: Partial<Parameters<typeof serveConsole>[0]> = {}) => {
    const console = await serve(await withoutSecret(), changes);
    return Promise.all(['about', 'floor'].map((path) => ask(path, console)));
  };

  it('the accounts are those that the poller stored', async () => {
    const [about, floor] = await answers();

    expect([about?.status, floor?.status]).toEqual([200, 200]);
    const stored = [{ account: 'demo', timeZone: 'Asia/Kolkata', country: 'IN' }];
    expect(JSON.parse(about?.text ?? '').accounts).toEqual(stored);
  });

  it('a problem says which permission lacks where nothing was polled, and account and zone can be given', async () => {
    const unpolled = { ...(await withoutSecret()), tables: { ...deployment.tables, agents: deployment.tables.calls } };
    const message =
      'AWS denied access: secretsmanager:GetSecretValue is not allowed for these credentials. Nothing was polled yet, so no table names the accounts: give --account and --time-zone.';

    for (const answer of await answers({ deployment: unpolled }))
      expect(answer).toEqual({ status: 502, text: JSON.stringify({ message }) });
    for (const { status } of await answers({ account: 'demo', timeZone: 'Asia/Kolkata' })) expect(status).toBe(200);
  });
});

it('takes no time zone for all accounts', async () => {
  const interruption = () => AbortSignal.abort();
  expect(await deployment.at(['console', '--time-zone', 'UTC'], { interruption })).toMatchObject({
    code: 2,
    notes: expect.stringContaining('--time-zone needs --account'),
  });
});

it('serves on a free port where the usual one is taken, and on no other than the given one', async () => {
  const interruption = () => AbortSignal.abort();
  const other = createServer();
  // If that fails, another program has it already.
  await new Promise<void>((resolve) => {
    other.once('error', () => resolve()).listen({ port: 3080, host: '127.0.0.1' }, resolve);
  });
  const free = await deployment.at(['console', '--json'], { interruption });
  const given = await deployment.at(['console', '--port', '3080'], { interruption });
  other.close();

  expect([free.code, free.output]).toEqual([0, expect.stringMatching(/"http:\/\/127\.0\.0\.1:(?!3080\/)\d+\//)]);
  expect([given.code, given.notes]).toEqual([1, expect.stringContaining('Port 3080 cannot be used')]);
});

it.each([
  ['day=2026-11-20&by=skill', '--date 2026-11-20 --by skill'],
  ['day=2026-11-20', '--date 2026-11-20 --by agent'],
  ['from=2026-11-19&to=2026-11-20', '--from 2026-11-19 --to 2026-11-20'],
])('the table of %s for the clipboard is what the command prints as CSV', async (search, options) => {
  const { csv } = JSON.parse((await ask(`day-csv?${search}`)).text);
  const { output } = await deployment.at(`day ${options} --csv --account demo`.split(' '));

  // On the clipboard a mark would be a part of the first cell.
  expect(csv).toBe(output.slice(1));
});

it('no answer has a table as CSV that nobody asked for', async () => {
  const { text } = await ask('day?day=2026-11-20&by=skill');
  expect(text).not.toContain('\\r\\n');
});

it('what a delivery changed is shown old and new; a poorer one changed little', async () => {
  const { call } = JSON.parse((await ask(`call?id=${callWithAllFields}`, personal)).text);
  const [first, second] = call.deliveries;

  expect(first.before).toEqual({});
  expect(first.after).toMatchObject({ status: 'answered', customerNumber: customer });
  expect(second.after).not.toHaveProperty('status');
  expect(call.facts.status).toBe('answered');
});

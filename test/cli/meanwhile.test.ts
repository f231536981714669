import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it, onTestFinished, vi } from 'vitest';
import { consoleApi } from '../../cli/console/api.ts';
import type { Deployment as CliDeployment } from '../../cli/frame/deployment.ts';
import { accountIndex } from '../../lib/accounts/account-index.ts';
import { fail } from '../../lib/core/result.ts';
import { marshalled } from '../../lib/storage/rows.ts';
import { localClient } from '../../sandbox/frame/local-aws.ts';
import {
  call,
  type Deployment,
  type DeploymentOptions,
  deployment,
  loggedIn,
  recorded,
  revised,
} from '../deployment/index.ts';
import { polledAccount } from '../fixtures/accounts.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { watchedLimits } from '../support/watched-clients.ts';
import { type CliRun, cli, jsonLines } from './support/cli-run.ts';
import { stubDeployment } from './support/local-deployment.ts';

/** When something happens: before or after the first request with an operation and a text in its input. */
type Moment = readonly ['before' | 'after', operation: string, holding: string];

/** A client whose requests go through a function. To read page by page, the SDK asks for one of its own. */
const clientOf = (send: unknown) =>
  Object.assign(new DynamoDBClient(localClient('http://wire.invalid')), { send }) as DynamoDBClient;

/** A deployment over the driver’s tables, for the command line and the console. */
const connectedTo = (d: Deployment, send: unknown): CliDeployment => ({
  ...stubDeployment(),
  bus: { kind: 'event-bridge', name: 'bus', client: {} as never },
  tables: d.tables,
  dynamodb: clientOf(send),
  sqs: { send: async () => ({}) } as never,
  recordings: { bucket: 'bucket', queue: 'https://queue.invalid/1/a', deadLetters: 'https://queue.invalid/1/b' },
  accounts: async () => accountIndex([polledAccount]),
});

const clockOf = (d: Deployment) => () => new Date(d.now());

const operatedBy =
  (d: Deployment, send: unknown) =>
  (line: string): Promise<CliRun> =>
    cli(line.split(' '), { clock: clockOf(d), connect: async () => connectedTo(d, send) });

/** The command line and the console over the driver’s tables. At a moment of their work something else happens. */
const operatedWhile = (d: Deployment, [when, operation, holding]: Moment, happens: () => Promise<unknown>) => {
  let isOver = false;
  const send = async (...args: Parameters<typeof d.dynamodb.send>) => {
    const [command] = args;
    const name = command.constructor.name.replace('Command', '');
    const isIt = !isOver && name === operation && JSON.stringify(command.input).includes(holding);
    if (isIt) isOver = true;
    if (isIt && when === 'before') await happens();
    const answer = await d.dynamodb.send(...args);
    if (isIt && when === 'after') await happens();
    return answer;
  };
  const about = { clock: clockOf(d), location: { stack: 'callfeed-prod' }, isPersonal: false };
  const api = consoleApi({ deployment: connectedTo(d, send), ...about });
  return {
    run: async (line: string): Promise<CliRun> => {
      const done = await operatedBy(d, send)(line);
      expect({ ...done, isOver }).toEqual({ ...done, isOver: true });
      return done;
    },
    ask: async (name: string, query: Readonly<Record<string, string>>) =>
      Object(await api.gets[name]?.(query, { signal: AbortSignal.abort() })),
  };
};

/** For commands that scan. */
const local = async () => {
  const d = await deployment({ on: 'local' });
  onTestFinished(() => d.stop());
  return d;
};

/** One agent is logged in, and in another state with the next poll. */
const polled = async () => {
  const d = await deployment();
  d.service.answers({ logins: [loggedIn({ asha: 'READY' })] });
  await d.poll();
  await d.post(call({ monitorUCID: '42', AgentID: 'asha', StartTime: d.now() }).answered());
  d.service.answers({ logins: [loggedIn({ asha: 'PAUSE' })] });
  return d;
};
const intervals: Moment = ['after', 'Query', 'asha'];

it.each<readonly [string, (operated: ReturnType<typeof operatedWhile>) => Promise<unknown>]>([
  ['callfeed timeline', async ({ run }) => jsonLines(await run('timeline asha --json'))[0]?.['upTo']],
  ['callfeed day', async ({ run }) => jsonLines(await run('day --json'))[0]?.['agentsUpTo']],
  ['a day of the console', async ({ ask }) => (await ask('day', {})).agentsUpTo],
  ['an agent’s day of the console', async ({ ask }) => (await ask('agent', { id: 'asha' })).upTo],
])('%s is known up to a poll that ended after its intervals were read', async (_title, upTo) => {
  const d = await polled();
  const before = (await d.feed())?.['asOf'];
  const known = await upTo(operatedWhile(d, intervals, () => d.poll()));

  expect(known).not.toBe(before);
  expect(known).toBe((await d.feed())?.['asOf']);
});

it('callfeed verify finds the event of a call that came while it read the rows', async () => {
  const d = await deployment();
  const file = join(temporaryFolder('events').path, 'events.jsonl');
  const log = () =>
    writeFileSync(
      file,
      d
        .published()
        .map(({ type, detail }) => `${JSON.stringify({ 'detail-type': type, detail })}\n`)
        .join(''),
    );
  const arrives = async (id: string) => {
    await d.post(call({ monitorUCID: id, StartTime: d.now() }).answered());
    await d.settled();
    log();
  };
  await arrives('41');
  const { run } = operatedWhile(d, ['before', 'Query', 'byTime'], () => arrives('42'));
  const done = await run(`verify --account demo --since 1h --no-report --json --events ${file}`);

  expect(jsonLines(done)).toMatchObject([{ accounts: [{ calls: 2 }], unpublished: [] }]);
});

it('callfeed replay leaves out a row that is revised between its scan and its mark: the revision was published', async () => {
  const d = await local();
  await d.post(call({ monitorUCID: '42' }).answered());
  await d.settled();
  const { run } = operatedWhile(d, ['before', 'UpdateItem', 'replayedAt'], async () => {
    await d.post(call({ monitorUCID: '42' }).withDisposition('Sale'));
    await d.settled();
  });
  const state = join(temporaryFolder('replay').path, 'state.json');
  const done = await run(`replay --from 2026-11-20 --to 2026-11-21 --state ${state} --json`);
  await d.settled();

  expect(jsonLines(done)).toMatchObject([{ replayed: 0, skipped: 1 }]);
  expect(await d.events('42')).toEqual([recorded(1), revised(2, ['dispositions'])]);
});

it('callfeed renormalise keeps a delivery that comes between its reading and its writing', async () => {
  const d = await deployment({ accounts: [{ ...polledAccount, timeZone: 'UTC' }] });
  await d.post(call({ monitorUCID: '42' }).answered());
  const { run } = operatedWhile(d, ['before', 'PutItem', '42'], () =>
    d.post(call({ monitorUCID: '42' }).withDisposition('Sale')),
  );
  await run('renormalise --from 2026-11-20 --to 2026-11-21');

  expect(await d.row('42')).toMatchObject({ revision: 3, dispositions: ['Sale'], timeZone: 'Asia/Kolkata' });
});

it('callfeed erase does not bring back an entry that is redriven meanwhile', async () => {
  const d = await local();
  await d.post('{"Apikey":"demo-key","CallerID":"09876500000"');
  const [entry] = await d.quarantine();
  const { run } = operatedWhile(d, ['before', 'PutItem', d.tables.quarantine], () =>
    d.dynamodb.send(new DeleteItemCommand({ TableName: d.tables.quarantine, Key: marshalled({ id: entry?.['id'] }) })),
  );
  await run('erase --customer 09876500000 --account demo --yes');

  expect(await d.quarantine()).toEqual([]);
});

it.each(['redrive parked --limit 1', 'redrive forwarded --limit 1', 'redrive recordings'])(
  'callfeed dead-letters %s keeps a dead letter that its queue does not take',
  async (line) => {
    const sent: string[] = [];
    const letter = { MessageId: 'm', Body: '{"account":"demo","callId":"42"}', ReceiptHandle: 'r' };
    const send = async ({ constructor: { name } }: object) => {
      sent.push(name);
      if (name === 'SendMessageCommand') throw Object.assign(new Error('down'), { name: 'TimeoutError' });
      return { Messages: name === 'ReceiveMessageCommand' ? [letter] : [] };
    };
    const d = await deployment();
    const connected = connectedTo(d, d.dynamodb.send);
    const forwarding = { queue: 'https://queue.invalid/1/c', deadLetters: 'https://queue.invalid/1/d' };
    const queues = { ...connected.queues, forwarding };
    const { code } = await cli(['dead-letters', ...line.split(' ')], {
      connect: async () => ({ ...connected, queues, sqs: { send } as never }),
    });

    expect(code).toBe(1);
    expect(sent).toContain('SendMessageCommand');
    expect(sent).not.toContain('DeleteMessageCommand');
  },
);

const isRead = /^(?:Query|GetItem|BatchGetItem|Scan)/;

/** Commands that change two calls, what they need, and the rows that show both changes. */
const changes: Readonly<
  Record<string, readonly [line: (d: Deployment) => Promise<string>, options: DeploymentOptions, done: object]>
> = {
  renormalise: [
    async () => 'renormalise --from 2026-11-20 --to 2026-11-21',
    { accounts: [{ ...polledAccount, timeZone: 'UTC' }] },
    { kind: 'call', revision: 2, timeZone: 'Asia/Kolkata' },
  ],
  erase: [async () => 'erase --customer 09876500000 --yes', { on: 'local' }, { kind: 'call', revision: 2 }],
  'quarantine redrive': [
    async (d) => `quarantine redrive ${(await d.quarantine()).map(({ id }) => id).join(' ')}`,
    { accounts: [{ ...polledAccount, apiKeys: ['of before'] }], secret: 'secret' },
    { kind: 'call', revision: 1 },
  ],
  'dead-letters redrive recordings': [
    async () => 'dead-letters redrive recordings',
    { recordingHost: () => fail('other-host') },
    { kind: 'recording', status: 'waiting' },
  ],
};

it.each(Object.entries(changes))(
  'callfeed %s reads consistently, and has a new limit for each call that it changes',
  async (_name, [lineFor, options, done]) => {
    const d = await deployment(options);
    onTestFinished(() => d.stop());
    for (const monitorUCID of ['41', '42']) {
      const summary = call({ monitorUCID, CallerID: '09876500000' })
        .answered()
        .withRecording(`https://a.example/${monitorUCID}.mp3`);
      await d.post(summary, options.secret === undefined ? {} : { secret: options.secret });
    }
    await d.settled();
    if (options.recordingHost !== undefined) await d.archive();
    const line = await lineFor(d);

    const limits = watchedLimits();
    const inconsistent: string[] = [];
    const run = operatedBy(d, async (...args: Parameters<typeof d.dynamodb.send>) => {
      const text = JSON.stringify(args[0].input);
      if (isRead.test(args[0].constructor.name) && !/ConsistentRead|IndexName/.test(text)) inconsistent.push(text);
      const { abortSignal: limit } = Object(args[1]);
      if (limit !== undefined && (limit.aborted || !limits.has(limit))) throw new DOMException('Aborted', 'AbortError');
      const answer = await d.dynamodb.send(...args);
      // A large range takes longer than any limit.
      if (/^(?:Put|Transact|Update)/.test(args[0].constructor.name)) limits.pass();
      return answer;
    });
    await run(line);
    vi.restoreAllMocks();

    const rows = (await d.rows('calls')).filter(({ kind }) => kind === Object(done).kind);
    expect(rows).toMatchObject([done, done]);
    // An older copy of a row could lack what is to be changed.
    expect(inconsistent).toEqual([]);
  },
);

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DeleteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, it, onTestFinished } from 'vitest';
import type { Deployment as CliDeployment } from '../../cli/connection/deployment.ts';
import { consoleApi } from '../../cli/console/api.ts';
import { accountIndex } from '../../lib/accounts/accounts.ts';
import { marshalled } from '../../lib/storage/rows.ts';
import { localClient } from '../../sandbox/local-aws.ts';
import { call, type Deployment, deployment, loggedIn, recorded, revised } from '../deployment/index.ts';
import { polledAccount } from '../fixtures/accounts.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { type CliRun, cli, jsonLines } from './support/cli-run.ts';
import { stubDeployment } from './support/local-deployment.ts';

/** When something happens: before or after the first request with an operation and a text in its input. */
type Moment = readonly ['before' | 'after', operation: string, holding: string];

/** A client whose requests go through a function. To read page by page, the SDK asks for one of its own. */
const clientOf = (send: unknown) =>
  Object.assign(new DynamoDBClient(localClient('http://wire.invalid')), { send }) as DynamoDBClient;

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
  const clock = () => new Date(d.now());
  const connected: CliDeployment = {
    ...stubDeployment(),
    bus: { kind: 'event-bridge', name: 'bus', client: {} as never },
    tables: d.tables,
    dynamodb: clientOf(send),
    sqs: { send: async () => ({}) } as never,
    accounts: async () => accountIndex([polledAccount]),
  };
  const api = consoleApi({ deployment: connected, clock, location: { stack: 'callfeed-prod' }, isPersonal: false });
  return {
    run: async (line: string): Promise<CliRun> => {
      const done = await cli(line.split(' '), { clock, connect: async () => connected });
      expect({ ...done, isOver }).toEqual({ ...done, isOver: true });
      return done;
    },
    ask: async (name: string, query: Readonly<Record<string, string>>) => Object(await api.gets[name]?.(query)),
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
  await d.post('{"CallerID":"09876500000"');
  const [entry] = await d.quarantine();
  const { run } = operatedWhile(d, ['before', 'PutItem', d.tables.quarantine], () =>
    d.dynamodb.send(new DeleteItemCommand({ TableName: d.tables.quarantine, Key: marshalled({ id: entry?.['id'] }) })),
  );
  await run('erase --customer 09876500000 --account demo --yes');

  expect(await d.quarantine()).toEqual([]);
});

it.each(['parked redrive', 'forwarded redrive', 'recordings retry --all'])(
  'callfeed %s keeps a dead letter that its queue does not take',
  async (line) => {
    const sent: string[] = [];
    const letter = { MessageId: 'm', Body: '{"account":"demo","callId":"42"}', ReceiptHandle: 'r' };
    const send = async ({ constructor: { name } }: object) => {
      sent.push(name);
      if (name === 'SendMessageCommand') throw Object.assign(new Error('down'), { name: 'TimeoutError' });
      return { Messages: name === 'ReceiveMessageCommand' ? [letter] : [] };
    };
    const d = await deployment();
    const queues = { queue: 'https://queue.invalid/1/a', deadLetters: 'https://queue.invalid/1/b' };
    const connected = {
      ...{
        ...stubDeployment(),
        dynamodb: clientOf(d.dynamodb.send),
        sqs: { send },
        recordings: { bucket: 'bucket', ...queues },
      },
      queues: { parking: queues.queue, deadLetters: queues.deadLetters, forwarding: queues },
      accounts: async () => accountIndex([polledAccount]),
    };
    const { code } = await cli(line.split(' '), { connect: async () => connected as never });

    expect(code).toBe(1);
    expect(sent).toContain('SendMessageCommand');
    expect(sent).not.toContain('DeleteMessageCommand');
  },
);

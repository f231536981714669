import { setImmediate } from 'node:timers/promises';
import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { S3Client } from '@aws-sdk/client-s3';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Answers } from '../../cli/console/api.ts';
import { serveConsole } from '../../cli/console/serve.ts';
import type { Deployment } from '../../cli/frame/deployment.ts';
import type { Read } from '../../client/index.ts';
import { accountIndex } from '../../lib/accounts/account-index.ts';
import type { Account } from '../../lib/accounts/accounts.ts';
import { batches } from '../../lib/core/collections.ts';
import { marshalled, type Row } from '../../lib/storage/rows.ts';
import { localClient } from '../../sandbox/frame/local-aws.ts';
import type { Handle } from '../../sandbox/frame/serve.ts';
import { transport } from '../../test/support/aws-clients.ts';
import type { LocalTables } from '../../test/support/dynamodb-local.ts';
import { scenario, type Volume } from './scenario.ts';
import { workingDay } from './working-day.ts';

/** What a page asks for, and every how many seconds: as `useLive` in `cli/console/page`. */
interface Asked {
  readonly address: keyof Answers;
  readonly query: Readonly<Record<string, string>>;
  readonly everySeconds: number;
}

const today = { day: 'today' };

/** The bar asks too, whatever the view. */
const bar: Asked = { address: 'feed', query: {}, everySeconds: 5 };

const callsView = (query: Readonly<Record<string, string>>): readonly Asked[] => [
  { address: 'calls', query, everySeconds: 5 },
  { address: 'quarters', query, everySeconds: 60 },
];

export const views: Readonly<Record<string, readonly Asked[]>> = {
  floor: [
    { address: 'floor', query: {}, everySeconds: 5 },
    { address: 'history', query: {}, everySeconds: 15 },
  ],
  calls: callsView(today),
  'calls, the open ones': [
    ...callsView({ ...today, state: 'open' }),
    { address: 'waiting', query: { ...today, state: 'open' }, everySeconds: 15 },
  ],
  day: [
    { address: 'day', query: today, everySeconds: 60 },
    { address: 'waiting', query: { ...today, counted: 'missed' }, everySeconds: 60 },
  ],
};

/** In the middle of open hours half of the calls of the day are there, as on average. */
const opensAtMs = Date.parse('2040-01-10T08:00:00.000Z');
const openedMs = opensAtMs + (scenario.openHoursADay / 2) * 3_600_000;

/** The shortest interval of a page, and the longest for which the server keeps anything. */
const stepSeconds = 5;
export const watchedSeconds = 900;

const volumes: readonly Volume[] = [
  { callsADay: 1_000, agents: 20 },
  { callsADay: 20_000, agents: 200 },
];

export type Units = Readonly<Record<Read['table'], number>>;

/** What a view reads as it is opened, and in each hour after. */
export interface ViewReads {
  readonly view: string;
  readonly opening: Units;
  readonly hour: Units;
}

const never = new AbortController().signal;

/** A client of the tables, and a wait until no request of the client is under way. */
const countedClient = (handle: Handle) => {
  let underWay = 0;
  const carry = async (request: Parameters<Handle>[0]) => {
    underWay += 1;
    return await handle(request).finally(() => {
      underWay -= 1;
    });
  };
  return {
    client: new DynamoDBClient({
      ...localClient('http://wire.invalid'),
      requestHandler: transport(() => (request) => carry({ ...request, closing: never })),
    }),
    /** Between two requests of a reading are a few turns of the event loop. */
    async idle() {
      for (let turns = 0; turns < 20; turns = underWay === 0 ? turns + 1 : 0) await setImmediate();
    },
  };
};

const deploymentOf = (tables: LocalTables, dynamodb: DynamoDBClient, account: Account): Deployment => {
  const nowhere = localClient('http://wire.invalid');
  return {
    isPolling: true,
    dynamodb,
    sqs: new SQSClient(nowhere),
    s3: new S3Client(nowhere),
    bus: { kind: 'sandbox', eventsAddress: nowhere.endpoint },
    tables: { calls: tables.nameOf('calls'), agents: tables.nameOf('agents'), quarantine: tables.nameOf('quarantine') },
    queues: { parking: 'parking', deadLetters: 'dead-letters' },
    retention: { callDays: 730, quarantineDays: 730 },
    accounts: async () => accountIndex([account]),
    fromArchive: () => 'archive',
  };
};

/** Opens a console for one view, which counts the units that it reads. */
const openConsole = async (asked: readonly Asked[], settings: Omit<Parameters<typeof serveConsole>[0], 'onRead'>) => {
  let units: Units = { calls: 0, agents: 0 };
  const onRead = ({ table, units: read }: Read) => {
    units = { ...units, [table]: units[table] + read };
  };
  const served = await serveConsole({ ...settings, onRead }, 0);
  return {
    async ask(sinceSeconds: number) {
      const due = [bar, ...asked].filter(({ everySeconds }) => sinceSeconds % everySeconds === 0);
      const answers = due.map(async ({ address, query }) => {
        const answer = await fetch(`${served.url}console/api/${address}?${new URLSearchParams(query)}`);
        if (!answer.ok) throw new Error(`${address} was answered with ${await answer.text()}`);
        await answer.arrayBuffer();
      });
      await Promise.all(answers);
    },
    take(): Units {
      const taken = units;
      units = { calls: 0, agents: 0 };
      return taken;
    },
    close: served.close,
  };
};

/** BatchWriteItem's limit of rows in a call. */
const maxRows = 25;

/** What every view of a console reads of a contact centre of this size: every view at the same time, and by one clock. */
const measureConsole = async (tables: LocalTables, volume: Volume): Promise<readonly ViewReads[]> => {
  const { client, idle } = countedClient(tables.handle);
  const day = workingDay(volume, opensAtMs);
  const write = async (rows: Readonly<Record<'calls' | 'agents', readonly Row[]>>) => {
    for (const table of ['calls', 'agents'] as const) {
      // A later row replaces an earlier one with the same key.
      const latest = new Map(rows[table].map((row) => [`${row['pk']} ${row['sk']}`, row]));
      for (const some of batches([...latest.values()], ({ length }) => length < maxRows)) {
        const puts = some.map((row) => ({ PutRequest: { Item: marshalled(row) } }));
        await client.send(new BatchWriteItemCommand({ RequestItems: { [tables.nameOf(table)]: puts } }));
      }
    }
  };
  let nowMs = openedMs;
  await write(day.before());
  await write(day.until(nowMs));
  const settings = {
    deployment: deploymentOf(tables, client, day.account),
    location: { stack: '' },
    isPersonal: false,
    account: day.account.userName,
    timeZone: day.account.timeZone,
    clock: () => new Date(nowMs),
  };
  const consoles = await Promise.all(
    Object.entries(views).map(async ([view, asked]) => ({ view, ...(await openConsole(asked, settings)) })),
  );
  const askAll = async (sinceSeconds: number) => {
    await Promise.all(consoles.map(({ ask }) => ask(sinceSeconds)));
    await idle();
  };
  try {
    await askAll(0);
    const openings = consoles.map(({ take }) => take());
    for (let seconds = stepSeconds; seconds <= watchedSeconds; seconds += stepSeconds) {
      nowMs = openedMs + seconds * 1_000;
      await write(day.until(nowMs));
      await askAll(seconds);
    }
    return consoles.map(({ view, take }, index) => {
      const { calls, agents } = take();
      const inHour = 3_600 / watchedSeconds;
      const opening = openings[index] ?? { calls: 0, agents: 0 };
      return { view, opening, hour: { calls: calls * inHour, agents: agents * inHour } };
    });
  } finally {
    await Promise.all(consoles.map(({ close }) => close()));
    client.destroy();
  }
};

export interface ConsoleReads {
  readonly volume: Volume;
  readonly reads: readonly ViewReads[];
}

/** Measures the first `count` volumes: the small contact centre, and the large one, which takes some minutes. */
export const measureConsoles = async (
  tables: LocalTables,
  onProgress: (what: string) => void,
  count = volumes.length,
) => {
  const measured: ConsoleReads[] = [];
  for (const volume of volumes.slice(0, count)) {
    onProgress(`opening a console of ${volume.callsADay} calls a day`);
    measured.push({ volume, reads: await measureConsole(tables, volume) });
  }
  return measured;
};

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type FunctionName, timeoutSeconds } from '../../functions/limits.ts';
import { startQueues } from '../../sandbox/aws/aws-parts.ts';
import { createConsoleLog } from '../../sandbox/aws/console-log.ts';
import { addPolling, addRecovery } from '../../sandbox/aws/core-parts.ts';
import { createCounters } from '../../sandbox/aws/counters.ts';
import { createEventLog, type DeliveredEvent } from '../../sandbox/aws/event-bus.ts';
import { accessKeyOf } from '../../sandbox/dynamodb/access-key.ts';
import { lockData } from '../../sandbox/frame/data-folder.ts';
import { createFaultBoard } from '../../sandbox/frame/faults.ts';
import { createClosers } from '../../sandbox/frame/lifecycle.ts';
import type { Queue } from '../../sandbox/queue/queue.ts';
import { sandboxFeatures } from '../../sandbox/sandbox.ts';

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'callfeed-'));

/** Takes a folder, and answers how to give it back. */
const lock = async (folder: string) => {
  const closers = createClosers();
  onTestFinished(() => closers.closeAll());
  await lockData(folder, closers);
  return closers.closeAll;
};

const inUse = (folder: string) =>
  `${folder} is used by another sandbox. Stop that one, or choose another --data folder.`;

it('belongs to one process until that gives it back', async () => {
  const folder = join(newFolder(), 'new/folder');
  const release = await lock(folder);

  await expect(lock(folder)).rejects.toThrow(inUse(folder));
  await release();
  await lock(folder);
});

it.each(['SIGKILL', 'SIGTERM'] as const)(
  'belongs to a process until %s ends it, also while it is stopped',
  async (signal) => {
    const folder = newFolder();
    const code = `import { createClosers } from './sandbox/frame/lifecycle.ts'; import { lockData } from './sandbox/frame/data-folder.ts';
    import { setTimeout as sleep } from 'node:timers/promises';
    await lockData(${JSON.stringify(folder)}, createClosers());
    // A process that runs for long collects its garbage: a lock that nobody holds went with it.
    for (let times = 0; times < 3; times++) await sleep(1, gc());
    console.log('locked'); setInterval(() => 0, 1000);`;
    const child = spawn(process.execPath, ['--expose-gc', '--input-type=module-typescript', '-e', code]);
    onTestFinished(() => void child.kill('SIGKILL'));
    await once(child.stdout, 'data');

    child.kill('SIGSTOP');
    await expect(lock(folder)).rejects.toThrow(inUse(folder));
    child.kill('SIGCONT');
    child.kill(signal);
    await once(child, 'exit');
    await lock(folder);
  },
);

it('goes to one of many that find the lock of a dead process at once', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'lock.sqlite'), '');

  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => lock(folder)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

it('says of a folder that cannot be made what is expected', async () => {
  const file = join(newFolder(), 'file');
  writeFileSync(file, '');

  await expect(lock(join(file, 'data'))).rejects.toThrow(
    `--data must be a folder that can be written to; ${join(file, 'data')} is none (ENOTDIR).`,
  );
});

describe('the access key of a folder', () => {
  const folderWith = (...names: readonly string[]): string => {
    const folder = newFolder();
    for (const name of names) writeFileSync(join(folder, name), name);
    return folder;
  };
  const contentsOf = (folder: string) =>
    Object.fromEntries(
      readdirSync(folder)
        .filter((name) => name !== 'access-key.json')
        .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    );
  const shared = 'shared-local-instance.db';

  it('stays, and is another in each folder and in each run without one', () => {
    const folder = join(newFolder(), 'new/folder');
    const accessKey = accessKeyOf(folder);

    expect(accessKey).toMatch(/^[0-9a-f]{32}$/);
    expect(accessKeyOf(folder)).toBe(accessKey);
    expect(new Set([accessKey, accessKeyOf(newFolder()), accessKeyOf(undefined), accessKeyOf(undefined)]).size).toBe(4);
  });

  it('becomes that of the database of an earlier version, with its journals', () => {
    const folder = folderWith(shared, `${shared}-journal`, `${shared}-wal`, 'other_local.db');
    const own = `${accessKeyOf(folder)}_local.db`;

    expect(contentsOf(folder)).toEqual({
      [own]: shared,
      [`${own}-journal`]: `${shared}-journal`,
      [`${own}-wal`]: `${shared}-wal`,
      'other_local.db': 'other_local.db',
    });
  });

  it('goes on with a move that was interrupted after any of its files', () => {
    const journal = `${shared}-journal`;
    for (const left of [[shared, journal], [shared], []]) {
      const folder = newFolder();
      const own = `${accessKeyOf(folder)}_local.db`;
      const movedName = (name: string) => name.replace(shared, own);
      for (const name of [shared, journal])
        writeFileSync(join(folder, left.includes(name) ? name : movedName(name)), name);
      accessKeyOf(folder);

      expect(contentsOf(folder)).toEqual({ [own]: shared, [`${own}-journal`]: journal });
    }
  });

  it('has its database moved last', () => {
    const folder = folderWith(shared, `${shared}-journal`);
    const accessKey = accessKeyOf(newFolder());
    writeFileSync(join(folder, 'access-key.json'), JSON.stringify(accessKey));
    // A folder that is not empty is in the way of the journal.
    mkdirSync(join(folder, `${accessKey}_local.db-journal`, 'in the way'), { recursive: true });

    expect(() => accessKeyOf(folder)).toThrow();
    expect(readdirSync(folder)).toContain(shared);
  });

  it('moves nothing over tables of its own, as where an earlier version ran again meanwhile', () => {
    const folder = newFolder();
    const own = `${accessKeyOf(folder)}_local.db`;
    for (const name of [own, shared, `${shared}-journal`]) writeFileSync(join(folder, name), name);
    accessKeyOf(folder);

    expect(contentsOf(folder)).toEqual({ [own]: own, [shared]: shared, [`${shared}-journal`]: `${shared}-journal` });
  });

  it('is named where its file holds anything else', () => {
    const folder = folderWith('access-key.json');

    expect(() => accessKeyOf(folder)).toThrow(join(folder, 'access-key.json'));
  });
});

const event = (id: string): DeliveredEvent => ({
  version: '0',
  id,
  'detail-type': 'Call Summary Recorded',
  source: 'callfeed',
  account: '000000000000',
  time: '2026-11-21T09:00:00Z',
  region: 'local',
  resources: [],
  detail: { text: 'two\nlines' },
});
const idsOf = (lines: readonly string[]) => lines.map((line) => JSON.parse(line).id);

it('the log of events continues its file after a restart, without the incomplete last line', () => {
  const file = join(newFolder(), 'events.ndjson');
  createEventLog(file).append([event('a')]);
  appendFileSync(file, '{"version":"0","id":"to');
  const log = createEventLog(file);
  log.append([event('b')]);

  expect(log.count()).toBe(2);
  for (const each of [log, createEventLog(file)]) expect(idsOf(each.lines())).toEqual(['a', 'b']);
});

describe('startQueues', () => {
  /** The queues of a sandbox and of its features, by the function that gets their messages. */
  const start = async (folder: string) => {
    const closers = createClosers();
    onTestFinished(() => closers.closeAll());
    const options = { port: 0, dynamodbPort: 0, providerPort: 0, traffic: false, data: folder };
    const basics = { options, board: createFaultBoard(), consoleLog: createConsoleLog(), counters: createCounters() };
    const queues = await startQueues({ ...basics, closers });
    const all: Queue[] = [];
    const byFunction: Partial<Record<FunctionName, Queue>> = {};
    const parts = {
      ...basics,
      ...queues,
      closers,
      log: createEventLog(),
      functions: { use: () => async () => undefined },
      secret: { accounts: () => [] },
      store: { url: '', faultyUrl: '', streamArns: { calls: '', agents: '' }, ended: Promise.resolve() },
      addQueue(...added: Parameters<typeof queues.addQueue>) {
        all.push(queues.addQueue(...added));
        return all.at(-1) as Queue;
      },
      readQueue(queue: Queue, name: FunctionName) {
        byFunction[name] = queue;
      },
      played: { has: () => false },
      readStream: () => undefined,
      startReading: () => undefined,
    };
    for (const feature of sandboxFeatures) await feature(parts);
    const { parking } = addRecovery(parts);
    addPolling(parts);
    return { parking, all, byFunction };
  };

  it('has the messages of every queue after a restart but for those deleted, and ticks, which are stale by then', async () => {
    const folder = newFolder();
    const { all } = await start(folder);
    for (const queue of all) {
      queue.send('deleted', {}, 0);
      queue.remove(queue.receive(1)[0]?.receipt ?? '');
      queue.send(`to ${queue.name}`, { kind: { DataType: 'String', StringValue: 'x' } }, 0);
    }
    const after = await start(folder);
    const stored = (queues: readonly Queue[]) =>
      queues.filter(({ name }) => name !== 'callfeed-ticks').map((queue) => [queue.name, queue.messages()]);

    expect(stored(after.all)).toEqual(stored(all));
    expect(all).toHaveLength(8);
    expect(after.parking.messages()).toMatchObject([{ body: 'to callfeed-parking' }]);
    expect(after.byFunction['poll-agents']?.messages()).toEqual([]);
  });

  it('gives a failed tick or step of reconciliation again only when its function has certainly ended', async () => {
    const { byFunction } = await start(newFolder());

    for (const name of ['poll-agents', 'reconcile-calls'] as const)
      expect(byFunction[name]?.visibilityMilliseconds).toBe(timeoutSeconds[name] * 1_000);
  });

  it('ignores an incomplete last line of a file', async () => {
    const folder = newFolder();
    (await start(folder)).parking.send('a', {}, 0);
    appendFileSync(join(folder, 'parking.json'), '{"put":{"id":"to');
    (await start(folder)).parking.send('b', {}, 0);

    expect((await start(folder)).parking.messages()).toMatchObject([{ body: 'a' }, { body: 'b' }]);
  });

  it('names a file that holds anything else', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'parking.json'), '{');

    await expect(start(folder)).rejects.toThrow(join(folder, 'parking.json'));
  });
});

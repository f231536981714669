import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createClosers } from '../../sandbox/closers.ts';
import { lockData } from '../../sandbox/data-lock.ts';
import { listen } from '../../sandbox/http/listen.ts';

const temporaryFolder = (): string => {
  const path = mkdtempSync(join(tmpdir(), 'callfeed-lock-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
};

/** Takes a folder, and answers how to give it back. */
const lock = async (folder: string, patience?: number) => {
  const closers = createClosers();
  onTestFinished(() => closers.closeAll());
  await lockData(folder, closers, patience);
  return closers.closeAll;
};

const inUse = (folder: string, pid = process.pid) =>
  `${folder} is used by the sandbox of process ${pid}. Stop that one, or choose another --data folder.`;

/** A local server that says something to whoever connects, or nothing. */
const speaker = async (said: string | undefined): Promise<number> => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket.on('error', () => undefined));
    if (said !== undefined) socket.end(said);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return listen(server, { number: 0, flag: 'port' });
};

/** The id of a process that has ended. */
const deadProcess = async (): Promise<number> => {
  const child = spawn(process.execPath, ['-e', '0']);
  await once(child, 'exit');
  return child.pid ?? 0;
};

it('belongs to one process until that gives it back', async () => {
  const folder = join(temporaryFolder(), 'new/folder');
  const release = await lock(folder);

  await expect(lock(folder)).rejects.toThrow(inUse(folder));
  expect(readdirSync(folder)).toEqual(['sandbox.lock']);
  await release();
  expect(readdirSync(folder)).toEqual([]);
  await lock(folder);
});

it('belongs to a process that is killed no more', async () => {
  const folder = temporaryFolder();
  const code = `import { createClosers } from './sandbox/closers.ts'; import { lockData } from './sandbox/data-lock.ts';
    await lockData(${JSON.stringify(folder)}, createClosers()); console.log('locked'); setInterval(() => 0, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', code]);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');

  await expect(lock(folder)).rejects.toThrow(inUse(folder, child.pid));
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(existsSync(join(folder, 'sandbox.lock'))).toBe(true);
  await lock(folder);
  expect(JSON.parse(readFileSync(join(folder, 'sandbox.lock'), 'utf8'))).toMatchObject({ pid: process.pid });
});

it.each<[string, () => Promise<unknown>]>([
  [
    'a process that has ended, even if its port is another’s',
    async () => ({ pid: await deadProcess(), port: await speaker('x'), token: 'x' }),
  ],
  ['a process id that another process has, without the port', async () => ({ pid: process.pid, port: 1, token: 'x' })],
  [
    'a port where something else answers',
    async () => ({ pid: process.pid, port: await speaker('HTTP/1.1'), token: 'x' }),
  ],
  ['a port where nothing is said', async () => ({ pid: process.pid, port: await speaker(''), token: 'x' })],
  ['nobody that can be read', async () => 'torn'],
])('is taken from %s', async (_what, holder) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'sandbox.lock'), JSON.stringify(await holder()));

  await lock(folder);
  expect(readdirSync(folder)).toEqual(['sandbox.lock']);
});

it('stays with a process that is stopped for a moment', async () => {
  const folder = temporaryFolder();
  const holder = { pid: process.pid, port: await speaker(undefined), token: 'x' };
  writeFileSync(join(folder, 'sandbox.lock'), JSON.stringify(holder));

  await expect(lock(folder, 50)).rejects.toThrow(inUse(folder));
});

it('goes to one of many that find the lock of a dead process at once', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'sandbox.lock'), JSON.stringify({ pid: await deadProcess(), port: 1, token: 'x' }));

  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => lock(folder)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(readdirSync(folder)).toEqual(['sandbox.lock']);
});

it('says of a folder that cannot be made what is expected', async () => {
  const file = join(temporaryFolder(), 'file');
  writeFileSync(file, '');

  await expect(lock(join(file, 'data'))).rejects.toThrow(
    `--data must be a folder that can be written to; ${join(file, 'data')} is none (ENOTDIR).`,
  );
});

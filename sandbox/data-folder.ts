import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod';
import { tryParseJson } from '../lib/core/json.ts';
import type { Closers } from './closers.ts';
import { listen, localHost } from './http/listen.ts';

/** A file that is stored between runs, or undefined without --data. */
export const fileIn = (folder: string | undefined, name: string): string | undefined =>
  folder === undefined ? undefined : join(folder, name);

/** What an earlier run stored in `file`, or undefined. Throws an error that names the file if it holds anything else. */
export const readJsonFile = <Schema extends z.ZodType>(
  file: string | undefined,
  schema: Schema,
): z.infer<Schema> | undefined => {
  if (file === undefined || !existsSync(file)) return undefined;

  const stored = schema.safeParse(tryParseJson(readFileSync(file, 'utf8')));
  if (!stored.success)
    throw new Error(
      `${file} was not written by the sandbox, or is damaged. Remove it, or choose another --data folder.`,
    );
  return stored.data;
};

/** Replaces `file` as a whole, so that a crash never leaves it half written. Without a file it does nothing. */
export const writeJsonFile = (file: string | undefined, value: unknown): void => {
  if (file === undefined) return;

  writeFileSync(`${file}.new`, `${JSON.stringify(value)}\n`);
  renameSync(`${file}.new`, file);
};

/** Who uses a folder: a process, which answers with its token at a port as long as it lives. */
const Holder = z.object({ pid: z.int().positive(), port: z.int().min(1).max(65_535), token: z.string().min(1) });
type Holder = z.infer<typeof Holder>;

/** A sandbox that is busy or stopped for a moment keeps its folder. */
const patienceMilliseconds = 5_000;

/**
 * Takes the folder of `--data` for this process until it ends, however it ends. Two sandboxes on one folder would take each
 * other's messages. Rejects with a message for the user, which names the process that has the folder.
 */
export const lockData = async (folder: string, closers: Closers, patience = patienceMilliseconds): Promise<void> => {
  const token = randomUUID();
  const server = createServer((socket) => socket.on('error', () => undefined).end(token));
  const port = await listen(server, { number: 0, flag: '--data' });
  server.unref();
  closers.add(() => void server.close());

  const file = join(folder, 'sandbox.lock');
  const own = `${file}.${token}`;
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(own, JSON.stringify({ pid: process.pid, port, token } satisfies Holder));
  } catch (error) {
    throw new Error(`--data must be a folder that can be written to; ${folder} is none (${codeOf(error)}).`);
  }
  try {
    while (!isMoved(() => linkSync(own, file))) {
      const text = textOf(file);
      const holder = Holder.safeParse(tryParseJson(text ?? '')).data;
      if (holder !== undefined && (await isAlive(holder, patience)))
        throw new Error(
          `${folder} is used by the sandbox of process ${holder.pid}. Stop that one, or choose another --data folder.`,
        );
      removeStale(file, text, `${own}.stale`);
    }
  } finally {
    rmSync(own);
  }
  closers.add(() => rmSync(file, { force: true }));
};

/** Removes the lock of a dead process. One that another process took meanwhile is put back. */
const removeStale = (file: string, text: string | undefined, aside: string): void => {
  if (!isMoved(() => renameSync(file, aside))) return;
  if (textOf(aside) !== text) isMoved(() => linkSync(aside, file));
  rmSync(aside);
};

const isMoved = (move: () => void): boolean => {
  try {
    move();
    return true;
  } catch (error) {
    if (['EEXIST', 'ENOENT'].includes(codeOf(error))) return false;
    throw error;
  }
};

const textOf = (file: string): string | undefined => {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
};

const codeOf = (error: unknown): string => String(Object(error).code ?? error);

/** Whether the holder lives. Its process id alone proves nothing: another process may have it since. */
const isAlive = ({ pid, port, token }: Holder, patience: number): Promise<boolean> =>
  new Promise((resolve) => {
    if (!isRunning(pid)) return resolve(false);
    let received = '';
    const socket = connect({ port, host: localHost }).setEncoding('utf8').setTimeout(patience);
    const end = (isHolder: boolean): void => {
      socket.destroy();
      resolve(isHolder);
    };
    socket.on('data', (text) => {
      received += text;
      if (!token.startsWith(received)) end(false);
    });
    socket.on('end', () => end(received === token));
    socket.on('timeout', () => end(true));
    socket.on('error', () => end(false));
  });

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
};

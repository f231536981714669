import { randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';
import * as z from 'zod';
import { tryParseJson } from '../lib/core/json.ts';
import { listen, localHost } from './http/listen.ts';
import type { Closers } from './lifecycle.ts';
import { Message, MessageChange } from './queue/queue.ts';

export const fileIn = (folder: string | undefined, name: string): string | undefined =>
  folder === undefined ? undefined : join(folder, name);

/** What an earlier run stored in `file`, or undefined. Throws an error that names the file if it holds anything else. */
export const readJsonFile = <Schema extends z.ZodType>(
  file: string | undefined,
  schema: Schema,
): z.infer<Schema> | undefined => {
  if (file === undefined || !existsSync(file)) return undefined;

  const stored = schema.safeParse(tryParseJson(readFileSync(file, 'utf8')));
  if (!stored.success) throw damaged(file);
  return stored.data;
};

const damaged = (file: string): Error =>
  new Error(`${file} was not written by the sandbox, or is damaged. Remove it, or choose another --data folder.`);

/** Replaces `file` as a whole, so that a crash never leaves it half written. Without a file it does nothing. */
export const writeJsonFile = (file: string | undefined, value: unknown): void => {
  if (file === undefined) return;

  writeFileSync(`${file}.new`, `${JSON.stringify(value)}\n`);
  renameSync(`${file}.new`, file);
};

const Journal = z.tuple([z.array(Message)], MessageChange);

/** After this many changes the file is rewritten, so that it does not grow forever. */
const maxChanges = 5_000;

/** Each change is appended: rewriting the file for each would make a queue slower the fuller it is. */
export const messageJournal = (file: string) => {
  // An incomplete last line was never acknowledged.
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : ['[]'];
  const stored = Journal.safeParse(lines.map((line) => tryParseJson(line)));
  if (!stored.success) throw damaged(file);
  const [first, ...later] = stored.data;
  const messages = new Map(first.map((message) => [message.id, message]));
  let changes = 0;
  const apply = (change: MessageChange): void => {
    if ('put' in change) messages.set(change.put.id, change.put);
    else messages.delete(change.removed);
  };
  const writeAll = (): void => {
    writeJsonFile(file, [...messages.values()]);
    changes = 0;
  };
  for (const change of later) apply(change);
  writeAll();

  return {
    messages: [...messages.values()],
    onChange(change: MessageChange) {
      apply(change);
      appendFileSync(file, `${JSON.stringify(change)}\n`);
      changes += 1;
      if (changes >= maxChanges) writeAll();
    },
  };
};

/** Who uses a folder: a process, which answers with its token at a port as long as it lives. */
const Holder = z.object({ pid: z.int().positive(), port: z.int().min(1).max(65_535), token: z.string().min(1) });
type Holder = z.infer<typeof Holder>;

/** A sandbox that is busy or stopped for a moment keeps its folder. */
const patienceMilliseconds = 5_000;

/** Takes the folder of `--data` until this process ends: two sandboxes on one would take each other's messages. */
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

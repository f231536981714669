import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { tryParseJson } from '../../lib/core/json.ts';
import type { Closers } from './lifecycle.ts';

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

export const damaged = (file: string): Error =>
  new Error(`${file} was not written by the sandbox, or is damaged. Remove it, or choose another --data folder.`);

/** Replaces `file` as a whole, so that a crash never leaves it half written. Without a file it does nothing. */
export const writeJsonFile = (file: string | undefined, value: unknown): void => {
  if (file === undefined) return;

  writeFileSync(`${file}.new`, `${JSON.stringify(value)}\n`);
  renameSync(`${file}.new`, file);
};

/** Holds each lock, whoever forgets its closers: the garbage collector closes a database that nobody holds. */
const held = new Set<object>();

/** Takes the folder of `--data` until this process ends: two sandboxes on one would take each other's messages. */
export const lockData = async (folder: string, closers: Closers): Promise<void> => {
  // A database is locked by the operating system, which frees the lock however the process ends.
  const { DatabaseSync } = await import('node:sqlite');
  const lock = new DatabaseSync(join(folder, 'lock.sqlite'), { open: false });
  try {
    mkdirSync(folder, { recursive: true });
    lock.open();
    lock.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    const { code, errcode } = Object(cause);
    if (errcode === sqliteBusy)
      throw new Error(`${folder} is used by another sandbox. Stop that one, or choose another --data folder.`);
    throw new Error(`--data must be a folder that can be written to; ${folder} is none (${code}).`, { cause });
  }
  held.add(lock);
  closers.add(() => {
    held.delete(lock);
    lock.close();
  });
};

const sqliteBusy = 5;

import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import type * as z from 'zod';
import { parsed } from '../../lib/json/parsed.ts';

/** What an earlier run kept in `file`, or undefined. Throws, naming the file, when it is something else. */
export const readKept = <Schema extends z.ZodType>(
  file: string | undefined,
  schema: Schema,
): z.infer<Schema> | undefined => {
  if (file === undefined || !existsSync(file)) return undefined;

  const kept = schema.safeParse(parsed(readFileSync(file, 'utf8')));
  if (!kept.success)
    throw new Error(`${file} does not hold what the sandbox keeps there. Remove it, or choose another --data folder.`);
  return kept.data;
};

/** Replaces `file` as a whole, so that it is never found half written. Without a file it does nothing. */
export const writeKept = (file: string | undefined, value: unknown): void => {
  if (file === undefined) return;

  writeFileSync(`${file}.new`, `${JSON.stringify(value)}\n`);
  renameSync(`${file}.new`, file);
};

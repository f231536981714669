import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { tryParseJson } from '../lib/core/parse-json.ts';

/** What is kept between runs, and where; all undefined when nothing is. */
export interface DataFiles {
  readonly dynamodb: string | undefined;
  readonly events: string | undefined;
  readonly checkpoints: string | undefined;
  readonly agentCheckpoints: string | undefined;
  readonly parking: string | undefined;
  readonly deadLetters: string | undefined;
}

/** The files under the folder given with --data. */
export const dataFiles = (folder: string | undefined): DataFiles => {
  const file = (name: string): string | undefined => (folder === undefined ? undefined : join(folder, name));

  return {
    dynamodb: file('dynamodb'),
    events: file('events.ndjson'),
    checkpoints: file('stream-checkpoints.json'),
    agentCheckpoints: file('agents-stream-checkpoints.json'),
    parking: file('parking.json'),
    deadLetters: file('dead-letters.json'),
  };
};

/** What an earlier run kept in `file`, or undefined. Throws, naming the file, when it is something else. */
export const readJsonFile = <Schema extends z.ZodType>(
  file: string | undefined,
  schema: Schema,
): z.infer<Schema> | undefined => {
  if (file === undefined || !existsSync(file)) return undefined;

  const kept = schema.safeParse(tryParseJson(readFileSync(file, 'utf8')));
  if (!kept.success)
    throw new Error(`${file} does not hold what the sandbox keeps there. Remove it, or choose another --data folder.`);
  return kept.data;
};

/** Replaces `file` as a whole, so that it is never found half written. Without a file it does nothing. */
export const writeJsonFile = (file: string | undefined, value: unknown): void => {
  if (file === undefined) return;

  writeFileSync(`${file}.new`, `${JSON.stringify(value)}\n`);
  renameSync(`${file}.new`, file);
};

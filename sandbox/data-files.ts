import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as z from 'zod';
import { tryParseJson } from '../lib/core/json.ts';

/** The files that are stored between runs. All are undefined without --data. */
export type DataFiles = ReturnType<typeof dataFiles>;

export const dataFiles = (folder: string | undefined) => {
  const file = (name: string): string | undefined => (folder === undefined ? undefined : join(folder, name));

  return {
    dynamodb: file('dynamodb'),
    events: file('events.ndjson'),
    checkpoints: file('stream-checkpoints.json'),
    agentCheckpoints: file('agents-stream-checkpoints.json'),
    parking: file('parking.json'),
    deadLetters: file('dead-letters.json'),
    reconciliation: file('reconciliation.json'),
    forwarding: file('forwarding.json'),
    forwardingDeadLetters: file('forwarding-dead-letters.json'),
    recordings: file('recordings.json'),
    recordingsDeadLetters: file('recordings-dead-letters.json'),
    recordingsCheckpoints: file('recordings-stream-checkpoints.json'),
    objects: file('recordings'),
    forwardingCheckpoints: file('forwarding-stream-checkpoints.json'),
  };
};

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

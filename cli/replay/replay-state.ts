import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import * as z from 'zod';
import { parsed } from '../../lib/json/parsed.ts';
import { Place } from '../../lib/replay/place.ts';
import { ReplayRange } from '../../lib/replay/replay-range.ts';
import { Problem } from '../problem.ts';

/** What it takes to go on with a replay that was cut off. */
const ReplayState = z.object({
  where: z.object({
    stack: z.string(),
    endpoint: z.string().optional(),
    region: z.string().optional(),
    profile: z.string().optional(),
  }),
  /** The table of calls, by which a deployment is known again: region and credentials may come from the shell. */
  table: z.string(),
  range: ReplayRange,
  replayedAt: z.string(),
  rate: z.int().positive(),
  place: Place,
});
export type ReplayState = z.infer<typeof ReplayState>;

/** Reads it from the file in which it was kept. */
export const readState = (file: string): ReplayState => {
  const state = ReplayState.safeParse(parsed(textOf(file)));
  if (!state.success) throw new Problem(`${file} is no file that an interrupted replay has left.`, 2);
  return state.data;
};

const textOf = (file: string): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new Problem(`${file} cannot be read.`, 2);
  }
};

/** Keeps it, for its owner only: keys of rows are in it. Cut off in between, the file is the one before. */
export const writeState = (file: string, state: ReplayState): void => {
  const next = `${file}.next`;
  try {
    writeFileSync(next, JSON.stringify(state), { mode: 0o600 });
    renameSync(next, file);
  } catch {
    throw new Problem(
      `${file}, which is to keep how far the replay has come, cannot be written: name another --state.`,
    );
  }
};

/** Removes it, once the replay is done. */
export const removeState = (file: string): void => rmSync(file, { force: true });

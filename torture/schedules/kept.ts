import { readdir, readFile } from 'node:fs/promises';
import * as z from 'zod';

/** A history that once led to a breach, of the product or of a copy with a planted fault. */
export const KeptHistory = z.strictObject({
  model: z.string(),
  /** What it showed, and when. */
  what: z.string(),
  history: z.unknown(),
});
export type KeptHistory = z.infer<typeof KeptHistory>;

const folder = new URL('kept/', import.meta.url);

/** Reads one. */
export const keptHistory = async (file: string | URL): Promise<KeptHistory> =>
  KeptHistory.parse(JSON.parse(await readFile(file, 'utf8')));

/** All that are kept, by the names of their files. */
export const keptHistories = async (): Promise<ReadonlyMap<string, KeptHistory>> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).sort();
  return new Map(
    await Promise.all(names.map(async (name) => [name, await keptHistory(new URL(name, folder))] as const)),
  );
};

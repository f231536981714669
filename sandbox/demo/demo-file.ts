import { existsSync } from 'node:fs';
import * as z from 'zod';
import { fileIn, readJsonFile, writeJsonFile } from '../frame/data-folder.ts';

const DemoRecord = z.strictObject({
  seed: z.int(),
  startedOn: z.iso.date(),
  account: z.string(),
  timeZone: z.string(),
  /** Everything up to this instant was posted, in milliseconds since the epoch. */
  until: z.number(),
  /** Days before the start that are not made yet. */
  missing: z.array(z.iso.date()),
});
/** What a folder has of a demonstration, so that a later run goes on with it. */
export type DemoRecord = Readonly<z.infer<typeof DemoRecord>>;

const fileName = 'demonstration.json';

export interface DemoFile {
  readonly stored: DemoRecord | undefined;
  write(record: DemoRecord): void;
}

type Wanted = Partial<Pick<DemoRecord, 'seed'>> & Pick<DemoRecord, 'account' | 'timeZone'>;

/** Throws a sentence for the user where a folder has other data than a demonstration, or another demonstration. */
export const openDemoFile = (folder: string | undefined, wanted: Wanted): DemoFile => {
  const file = fileIn(folder, fileName);
  const stored = readJsonFile(file, DemoRecord);
  if (stored === undefined && folder !== undefined && existsSync(fileIn(folder, 'dynamodb') ?? ''))
    throw new Error(`${folder} has other data than a demonstration. Choose another --data folder.`);
  const different = (['seed', 'account', 'timeZone'] as const).find(
    (name) => stored !== undefined && wanted[name] !== undefined && wanted[name] !== stored[name],
  );
  if (stored !== undefined && different !== undefined)
    throw new Error(
      `${folder} has a demonstration with the ${words[different]} ${stored[different]}. Start it with that, or choose another --data folder.`,
    );
  return { stored, write: (record) => writeJsonFile(file, record) };
};

const words = { seed: 'seed', account: 'account', timeZone: 'time zone' } as const;

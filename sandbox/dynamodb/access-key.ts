import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { readJsonFile, writeJsonFile } from '../frame/data-folder.ts';
import { localRegion } from '../frame/local-aws.ts';

const AccessKey = z.string().regex(/^[0-9a-f]{32}$/);

/**
 * The access key under which DynamoDB Local has the tables. It listens on every interface, and has a database for each key: who
 * reaches its port without this one finds an empty database. The key is of the run, or of the folder in which tables are stored.
 */
export const accessKeyOf = (folder: string | undefined): string => {
  const newKey = randomBytes(16).toString('hex');
  if (folder === undefined) return newKey;

  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'access-key.json');
  const stored = readJsonFile(file, AccessKey);
  const accessKey = stored ?? newKey;
  if (stored === undefined) writeJsonFile(file, accessKey);
  takeSharedDatabase(folder, `${accessKey}_${localRegion}.db`);
  return accessKey;
};

/** What DynamoDB Local calls the database that an earlier version had for every key. */
const shared = 'shared-local-instance.db';

/** The journals beside a database have its name too. It is moved after them: as long as it is there, an interrupted move goes on. */
const takeSharedDatabase = (folder: string, own: string): void => {
  if (existsSync(join(folder, own))) return;
  const files = readdirSync(folder).filter((name) => name.startsWith(shared));
  for (const name of files.toSorted().toReversed())
    renameSync(join(folder, name), join(folder, name.replace(shared, own)));
};

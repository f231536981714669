import { readdirSync, readFileSync } from 'node:fs';
import { readSqlFile, type SqlFile } from '../../lib/analytics/sql-file.ts';

/** The views in the order in which they are created: each reads tables and views before it. */
export const viewNames = [
  'settings',
  'calls',
  'counted_calls',
  'call_quarters',
  'agent_call_quarters',
  'agent_intervals',
  'agent_time_quarters',
] as const;

const sqlFolder = new URL('../../lib/analytics/', import.meta.url);

const readFile = (folder: 'views' | 'questions', name: string): SqlFile =>
  readSqlFile(name, readFileSync(new URL(`${folder}/${name}.sql`, sqlFolder), 'utf8'));

/** Every view, in the order in which they are created. */
export const views = (): readonly SqlFile[] => viewNames.map((name) => readFile('views', name));

/** Every question, by name. */
export const questions = (): readonly SqlFile[] =>
  readdirSync(new URL('questions/', sqlFolder))
    .sort()
    .map((file) => readFile('questions', file.replace(/\.sql$/, '')));

import { readdirSync, readFileSync } from 'node:fs';
import { readSqlFile, type SqlFile } from './sql-file.ts';

const folder = new URL('./questions/', import.meta.url);

export const questions = (): readonly SqlFile[] =>
  readdirSync(folder)
    .sort()
    .map((file) => readSqlFile(file.replace(/\.sql$/, ''), readFileSync(new URL(file, folder), 'utf8')));

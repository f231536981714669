import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDemoFile } from '../../../sandbox/demo/demo-file.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const centre = { account: 'demo', timeZone: 'Asia/Kolkata' };
const record = { ...centre, seed: 4, startedOn: '2026-11-29', until: 1_795_900_000_000, missing: ['2026-11-22'] };
const newFolder = (): string => temporaryFolder('demo-file').path;

describe('the file of a demonstration', () => {
  it('goes on with what an earlier run has stored, whatever seed is left out', () => {
    const folder = newFolder();
    openDemoFile(folder, centre).write(record);

    expect(openDemoFile(folder, centre).stored).toEqual(record);
    expect(openDemoFile(folder, { ...centre, seed: 4 }).stored).toEqual(record);
  });

  it.each([
    ['another seed', { seed: 5 }, 'the seed 4'],
    ['another account', { account: 'acme' }, 'the account demo'],
    ['another zone', { timeZone: 'Europe/Paris' }, 'the time zone Asia/Kolkata'],
  ])('refuses %s', (_what, wanted, named) => {
    const folder = newFolder();
    openDemoFile(folder, centre).write(record);

    expect(() => openDemoFile(folder, { ...centre, ...wanted })).toThrow(
      `${folder} has a demonstration with ${named}. Start it with that, or choose another --data folder.`,
    );
  });

  it('refuses a folder with the tables of another sandbox', () => {
    const folder = newFolder();
    mkdirSync(join(folder, 'dynamodb'));

    expect(() => openDemoFile(folder, centre)).toThrow(`${folder} has other data than a demonstration.`);
  });

  it('stores nothing without a folder', () => {
    const file = openDemoFile(undefined, centre);
    file.write(record);

    expect(openDemoFile(undefined, centre).stored).toBeUndefined();
  });
});

import { globSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { startAnalytics } from '../../sandbox/analytics.ts';
import { createEventLog, type Envelope } from '../../sandbox/bus/event-log.ts';
import { createClosers } from '../../sandbox/closers.ts';
import { askViews } from '../analytics/simulated-day.ts';
import { everyEvent } from '../support/every-event.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const envelope = (type: string, detail: object): Envelope => ({
  ...{ version: '0', id: '1', 'detail-type': type, source: 'callfeed', account: '1', time: '', region: 'local' },
  ...{ resources: [], detail: { ...detail } },
});

const started = async (folder: string, everyMs: number) => {
  const [log, closers, problems] = [createEventLog(), createClosers(), [] as string[]];
  await startAnalytics(folder, { log, onProblem: (problem) => problems.push(problem), everyMs }, closers);
  return { log, stop: closers.closeAll, problems, files: () => globSync(join(folder, '*', 'day=*', '*.parquet')) };
};

it('writes the rows of events by table and day, and the last ones when it stops', async () => {
  const { path } = temporaryFolder('sandbox-analytics');
  const { log, stop, problems, files } = await started(path, 60_000);
  log.append((await everyEvent('keep')).map(({ type, detail }) => envelope(type, detail)));
  log.append([envelope('Object Created', {})]);
  expect(files()).toEqual([]);
  await stop();

  expect(files()).toHaveLength(2);
  expect(problems).toEqual(['an event makes no row: detail-type is none of Callfeed’s.']);
  const { ask, close } = await askViews(path);
  expect(await ask('SELECT call_id, revision, day FROM calls')).toMatchObject([{ revision: 2, day: '2026-11-20' }]);
  close();
});

it('writes the rows of other days once, and leaves no file behind, beside one that can never be written', async () => {
  const { path } = temporaryFolder('sandbox-analytics');
  const { log, stop, problems, files } = await started(path, 50);
  const [recorded] = await everyEvent('keep');
  const on = (day: string, more: object = {}) => {
    const call = { timeZone: 'UTC', startedAt: `2026-11-${day}T10:00:00.000Z`, ...more };
    return envelope('Call Summary Recorded', { ...recorded?.detail, callId: day, call });
  };
  log.append([on('20'), on('21', { skillName: 'half a character: \ud800' }), on('22')]);
  await vi.waitFor(() => expect(problems.length).toBeGreaterThan(2), 45_000);
  await stop();

  const days = files().map((file) => basename(dirname(file)));
  expect(days.sort()).toEqual(['day=2026-11-20', 'day=2026-11-22']);
  expect(globSync(join(path, '.incoming', '*'))).toEqual([]);
});

it('tries again what it could not write', async () => {
  const { path } = temporaryFolder('sandbox-analytics');
  const place = join(path, 'call_revisions');
  writeFileSync(place, 'a file where the folder should be');
  const { log, stop, problems, files } = await started(path, 50);
  log.append((await everyEvent('keep')).map(({ type, detail }) => envelope(type, detail)));
  await vi.waitFor(() => expect(problems[0]).toMatch(/^\d+ rows could not be written to /), 45_000);
  rmSync(place);
  await vi.waitFor(() => expect(files().length).toBeGreaterThan(1), 45_000);
  await stop();
});

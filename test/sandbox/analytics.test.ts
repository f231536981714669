import { globSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
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

import { expect, it } from 'vitest';
import type { ChunkReport } from '../../../torture/schedules/model.ts';
import { runChunks } from '../../../torture/schedules/run-chunks.ts';

it('plays chunks on a thread, hears what came of each, and fails where the thread does', async () => {
  const reports: ChunkReport[] = [];
  const chunks = [
    { model: 'calls', seed: 1, runs: 2 },
    { model: 'agents-at-ports', seed: 2, runs: 1 },
    { model: 'nonsense', seed: 3, runs: 1 },
  ];
  await expect(runChunks(chunks, 1, (report) => reports.push(report))).rejects.toThrow('nonsense');

  expect(reports.map(({ model, played, failure }) => [model, played, failure])).toEqual([
    ['calls', 2, undefined],
    ['agents-at-ports', 1, undefined],
  ]);
});

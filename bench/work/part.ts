import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { bundleFile } from '../../cdk/constructs/bundling.ts';
import { bundle } from '../bundles/bundle.ts';
import type { Part } from '../part.ts';
import { withTemporaryFolder } from '../temporary-folder.ts';
import { startHandler } from './handler.ts';
import { Timed } from './measured.ts';
import { payloads } from './payloads.ts';
import { slowSteps, type Work, workTable } from './work-table.ts';

/** What a callback takes of the processor, by what is done with it and by how much it holds. */
export const work: Part = {
  name: 'work',
  what: 'time to open, check and normalise a callback, beside the bare decoding of it',
  run: ({ repetitions, onProgress }) =>
    withTemporaryFolder(async (folder) => {
      onProgress('timing the steps');
      const { folder: steps } = await bundle('bench/work/in-child.ts', join(folder, 'steps'));
      const { stdout } = await promisify(execFile)(process.execPath, [join(steps, bundleFile), String(repetitions)]);
      const timed = z.array(Timed).parse(JSON.parse(stdout));

      const { folder: receiver } = await bundle('functions/receive-callback/index.ts', join(folder, 'receiver'));
      const handler = await startHandler(receiver);
      const handlerUs = new Map<string, number[]>(payloads.map(({ name }) => [name, []]));
      try {
        for (let round = 0; round <= repetitions; round++) {
          onProgress(`whole handler, round ${round} of ${repetitions}`);
          for (const payload of payloads) {
            const us = await handler.cpuOf(payload);
            if (round > 0) handlerUs.get(payload.name)?.push(us);
          }
        }
      } finally {
        await handler.stop();
      }
      const works = timed.map((each): Work => ({ ...each, handlerUs: handlerUs.get(each.name) ?? [] }));
      return {
        tables: [{ title: 'One callback, in microseconds up to each step', table: workTable(works) }],
        data: works,
        failures: slowSteps(works),
      };
    }),
};

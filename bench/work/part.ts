import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { bundleFile } from '../../cdk/constructs/function-code.ts';
import { formOf, httpApiEvent } from '../../test/support/http-api-event.ts';
import { median } from '../../test/support/statistics.ts';
import { bundle } from '../lambda/bundle.ts';
import { type Part, type Table, withTemporaryFolder } from '../part.ts';
import { cpuOf, startPeer } from '../peers/measure.ts';
import { bundledPeers, callfeed } from '../peers/peers.ts';
import { type Payload, payloads, type Round, stepNames, Timed } from './payloads.ts';

/** The bytes of forms in a round: more small callbacks than large ones. */
const bytesARound = 150_000;

/** The same callback again and again. The first one does not count. */
const repeatedly = ({ data }: Payload) => {
  const body = formOf(data);
  const times = Math.max(3, Math.min(100, Math.round(bytesARound / body.length)));
  return Array<unknown>(times + 1).fill(httpApiEvent({ body }));
};

/** The time of one payload: by steps, and of the whole handler's process in microseconds, one figure a round. */
export interface Work extends Timed {
  readonly handlerUs: readonly number[];
}

/** How many times as long as the decoding all steps may take. */
const maxRatioToDecoding = 3;

/** The payload with the limit: nearly all posts are like it. */
const payloadWithLimit = 'typical';

const medianOf = ({ rounds }: Timed, step: keyof Round): number => median(rounds.map((round) => round[step]));

/** The median of the ratios of the rounds. */
const ratioToDecoding = ({ rounds }: Timed, step: keyof Round): number =>
  median(rounds.map((round) => round[step] / round.decode));

const stepCell = (timed: Timed, step: keyof Round): string => {
  const us = medianOf(timed, step).toFixed(1);
  return step === 'decode' ? us : `${us} (${ratioToDecoding(timed, step).toFixed(1)} x)`;
};

/** One payload a row; in brackets the ratio to the decoding. */
const workTable = (works: readonly Work[]): Table => ({
  head: ['Callback', 'bytes of form', ...stepNames, 'whole handler'],
  rows: works.map((each) => [
    each.name,
    String(each.bytes),
    ...stepNames.map((step) => stepCell(each, step)),
    median(each.handlerUs).toFixed(0),
  ]),
});

const slowSteps = (works: readonly Work[]): readonly string[] =>
  works
    .filter(({ name }) => name === payloadWithLimit)
    .flatMap((each) => {
      const times = ratioToDecoding(each, 'normalise');
      return times <= maxRatioToDecoding
        ? []
        : [
            `A ${each.name} callback takes ${times.toFixed(1)} x as long as its decoding; the limit is ${maxRatioToDecoding} x.`,
          ];
    });

/** The processor time of a callback, by step and by payload. */
export const work: Part = {
  name: 'work',
  what: 'time to parse, check and normalise a callback, compared with decoding alone',
  run: ({ repetitions, onProgress }) =>
    withTemporaryFolder(async (folder) => {
      onProgress('timing the steps');
      const { folder: steps } = await bundle('bench/work/timed-steps.ts', join(folder, 'steps'));
      const { stdout } = await promisify(execFile)(process.execPath, [join(steps, bundleFile), String(repetitions)]);
      const timed = z.array(Timed).parse(JSON.parse(stdout));

      const [ours] = await bundledPeers(folder, { of: [callfeed] });
      if (ours === undefined) throw new Error('Nothing was bundled');
      const handler = await startPeer(ours);
      const handlerUs = new Map<string, number[]>(payloads.map(({ name }) => [name, []]));
      try {
        for (let round = 0; round <= repetitions; round++) {
          onProgress(`whole handler, round ${round} of ${repetitions}`);
          for (const payload of payloads) {
            const us = await cpuOf(handler.receiving, repeatedly(payload));
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

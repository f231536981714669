import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { bundleFile } from '../../../cdk/constructs/function-code.ts';
import { formOf, httpApiEvent } from '../../support/http-api-event.ts';
import { startAwsEndpoint } from '../aws/aws-endpoint.ts';
import { bundle } from '../lambda/bundle.ts';
import { startLambda } from '../lambda/lambda-process.ts';
import type { Part } from '../part.ts';
import { callfeed, peerSecret } from '../peers/peers.ts';
import { lowerMedian } from '../statistics.ts';
import type { Table } from '../table.ts';
import { withTemporaryFolder } from '../temporary-resources.ts';
import { type Payload, payloads, type Round, stepNames, Timed } from './payloads.ts';

/** The deployed receiver before an AWS that answers at once. */
export interface Handler {
  /** Microseconds of processor time for one callback, by the whole process. */
  cpuOf(payload: Payload): Promise<number>;
  stop(): Promise<void>;
}

const Accepted = z.object({ statusCode: z.literal(200) });

/** So many bytes of form are a round: more small callbacks than large ones. */
const bytesARound = 150_000;

/** Starts it from its bundle. */
const startHandler = async (folder: string): Promise<Handler> => {
  const wire = await startAwsEndpoint({ secret: peerSecret });
  const { receiver } = callfeed.deployed('work');
  const lambda = await startLambda({ folder, environment: receiver.environment(wire.url) });

  const invoke = async (event: unknown): Promise<number> => {
    const { result, error, cpuUs } = await lambda.invoke(event);
    if (!Accepted.safeParse(result).success)
      throw new Error(`A callback is refused: ${JSON.stringify(error ?? result)}`);
    wire.takeRequests();
    return cpuUs;
  };

  return {
    async cpuOf({ data }) {
      const body = formOf(data);
      const event = httpApiEvent({ body });
      const times = Math.max(3, Math.min(100, Math.round(bytesARound / body.length)));
      const before = await invoke(event);
      let after = before;
      for (let time = 0; time < times; time++) after = await invoke(event);
      return (after - before) / times;
    },
    async stop() {
      await lambda.stop();
      await wire.close();
    },
  };
};

/** What one payload takes: by steps, and in microseconds of processor time by the whole handler, a round each. */
export interface Work extends Timed {
  readonly handlerUs: readonly number[];
}

/** How many times as long as the floor all steps may take. */
const maxRatioToFloor = 3;

/** The payload that the bar is for: nearly all posts are such. */
const payloadWithBar = 'typical';

const medianOf = ({ rounds }: Timed, step: keyof Round): number => lowerMedian(rounds.map((round) => round[step]));

/** The median of what each round says by itself. */
const ratioToFloor = ({ rounds }: Timed, step: keyof Round): number =>
  lowerMedian(rounds.map((round) => round[step] / round.floor));

const stepCell = (timed: Timed, step: keyof Round): string => {
  const us = medianOf(timed, step).toFixed(1);
  return step === 'floor' ? us : `${us} (${ratioToFloor(timed, step).toFixed(1)} x)`;
};

/** One payload a row; in brackets how many times the floor. */
const workTable = (works: readonly Work[]): Table => ({
  head: ['Callback', 'bytes of form', ...stepNames, 'whole handler'],
  rows: works.map((each) => [
    each.name,
    String(each.bytes),
    ...stepNames.map((step) => stepCell(each, step)),
    lowerMedian(each.handlerUs).toFixed(0),
  ]),
});

/** What is above the bar. */
const slowSteps = (works: readonly Work[]): readonly string[] =>
  works
    .filter(({ name }) => name === payloadWithBar)
    .flatMap((each) => {
      const times = ratioToFloor(each, 'normalise');
      return times <= maxRatioToFloor
        ? []
        : [`A ${each.name} callback takes ${times.toFixed(1)} x the bare decoding; the bar is ${maxRatioToFloor} x.`];
    });

/** What a callback takes of the processor, by what is done with it and by how much it holds. */
export const work: Part = {
  name: 'work',
  what: 'time to open, check and normalise a callback, beside the bare decoding of it',
  run: ({ repetitions, onProgress }) =>
    withTemporaryFolder(async (folder) => {
      onProgress('timing the steps');
      const { folder: steps } = await bundle('test/bench/work/timed-steps.ts', join(folder, 'steps'));
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

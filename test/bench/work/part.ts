import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { bundleFile } from '../../../cdk/constructs/function-code.ts';
import { formOf, httpApiEvent } from '../../support/http-api-event.ts';
import { startAwsEndpoint } from '../aws/aws-endpoint.ts';
import { bundle } from '../lambda/bundle.ts';
import { startLambda } from '../lambda/lambda-process.ts';
import type { Part, Table } from '../part.ts';
import { withTemporaryFolder } from '../part.ts';
import { callfeed, peerSecret } from '../peers/peers.ts';
import { median } from '../statistics.ts';
import { type Payload, payloads, type Round, stepNames, Timed } from './payloads.ts';

/** The deployed receiver, with an AWS endpoint that answers at once. */
export interface Handler {
  /** Microseconds of the process's processor time for one callback. */
  cpuOf(payload: Payload): Promise<number>;
  stop(): Promise<void>;
}

const Accepted = z.object({ statusCode: z.literal(200) });

/** The bytes of forms in a round: more small callbacks than large ones. */
const bytesARound = 150_000;

const startHandler = async (folder: string): Promise<Handler> => {
  const aws = await startAwsEndpoint({ secret: peerSecret });
  const { receiver } = callfeed.deployed('work');
  const lambda = await startLambda({ folder, environment: receiver.environment(aws.url) });

  const invoke = async (event: unknown): Promise<number> => {
    const { result, error, cpuUs } = await lambda.invoke(event);
    if (!Accepted.safeParse(result).success)
      throw new Error(`A callback was rejected: ${JSON.stringify(error ?? result)}`);
    aws.takeRequests();
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
      await aws.close();
    },
  };
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

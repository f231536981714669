import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { memoryMegabytes } from '../../functions/limits.ts';
import { endOfSlot, slotOf } from '../../functions/poll-agents/rate-limit.ts';
import { median } from '../../test/support/statistics.ts';
import { delaysOfAws } from '../aws/aws-endpoint.ts';
import { volumes } from '../costs/scenario.ts';
import { bundle, startLambda } from '../lambda/lambda-process.ts';
import { type Part, withTemporaryFolder } from '../part.ts';
import { environmentOf } from '../start/bundles.ts';
import { firstEvent } from '../start/first-events.ts';
import { startServices } from '../start/services.ts';
import { invoke, type TimedRun, timedRuns } from '../start/timed-runs.ts';

const name = 'poll-agents';

interface Polls {
  readonly agents: number;
  readonly memory: number;
  /** Of polls in which nothing has changed, by a process that has polled before. */
  readonly runs: readonly TimedRun[];
}

const polls = 16;

/** Polls at the slots that come, as there is one request a slot. */
const measure = async (folder: string, agents: number, memory: number): Promise<Polls> => {
  const services = await startServices({ delays: delaysOfAws, agents });
  const settings = { folder, environment: environmentOf(services.url), memory, shareFrom: 'ready' } as const;
  const poller = await startLambda(settings);
  try {
    const { cpuUs } = await invoke(poller, name, firstEvent[name]());
    const nextEvent = async () => {
      await pause(endOfSlot(slotOf(new Date())) - Date.now());
      return firstEvent[name]();
    };
    return { agents, memory, runs: await timedRuns(poller, name, { cpuUs, runs: polls, nextEvent }) };
  } finally {
    await poller.stop();
    await services.close();
  }
};

/** How long a poll takes at the share of its memory. It waits for the slots of four minutes, for all sizes at once. */
export const warmPolls: Part = {
  name: 'polls',
  what: 'run time and processor time of a poll in which nothing changes, by a process that has polled before',
  run: ({ memory = [memoryMegabytes[name]], onProgress }) =>
    withTemporaryFolder(async (folder) => {
      onProgress(`waiting for ${polls} slots of the limit of requests`);
      const { folder: bundled } = await bundle(`functions/${name}/index.ts`, join(folder, name));
      const measured = await Promise.all(
        memory.flatMap((megabytes) => volumes.map(({ agents }) => measure(bundled, agents, megabytes))),
      );
      const medianOf = (runs: Polls['runs'], of: (run: Polls['runs'][number]) => number) => median(runs.map(of));
      return {
        tables: [
          {
            title: 'A poll in which nothing changes, in milliseconds',
            table: {
              head: ['Agents', 'MB', 'run', 'processor time'],
              rows: measured.map(({ agents, memory: megabytes, runs }) => [
                String(agents),
                String(megabytes),
                medianOf(runs, ({ ms }) => ms).toFixed(0),
                medianOf(runs, ({ processorMs }) => processorMs).toFixed(1),
              ]),
            },
          },
        ],
        data: measured,
        failures: [],
      };
    }),
};

import { agentsTable, callsTable, quarantineTable } from '../../lib/contract/tables.ts';
import { type CallCounts, countCalls } from './count-calls.ts';
import { countPolls, type PollCounts } from './count-polls.ts';
import type { Counts } from './counts.ts';
import type { Deployed } from './deployed.ts';
import { startMeter } from './meter.ts';
import { polledFloor } from './polled-floor.ts';
import { createPublisher } from './publisher.ts';
import { createReceiver } from './receiver.ts';
import { slotTime } from './slot-time.ts';

/** Tables in a running DynamoDB Local, empty ones. */
export interface EmptyTables {
  readonly endpoint: string;
  readonly tableNames: { readonly calls: string; readonly agents: string; readonly quarantine: string };
}

/** Floors to be polled: how many agents there are, and how many of them change between two polls. */
export interface FloorSize {
  readonly agents: number;
  readonly changes: readonly number[];
}

/** What was counted. */
export interface Counted {
  readonly calls: CallCounts;
  readonly polls: readonly PollCounts[];
}

/** Runs the functions on each kind of work, and counts what it takes. `onProgress` is told what is being done. */
export const countAll = async (
  { endpoint, tableNames }: EmptyTables,
  { deployment, subscription }: Pick<Deployed, 'deployment' | 'subscription'>,
  floors: readonly FloorSize[],
  onProgress: (what: string) => void = () => undefined,
): Promise<Counted> => {
  const time = slotTime();
  const { clock } = time;
  const tables = {
    [tableNames.calls]: callsTable,
    [tableNames.agents]: agentsTable,
    [tableNames.quarantine]: quarantineTable,
  };
  const meter = startMeter({ endpoint, tables, clock, deployment });
  const publish = createPublisher(meter, clock, subscription);
  const counted = async (work: Promise<void>): Promise<Counts> => {
    await work;
    await publish();
    return meter.take();
  };

  try {
    onProgress('counting callbacks');
    const receive = createReceiver(meter, clock, tableNames);
    const calls = await countCalls((data) => counted(receive(data)));

    const polls: PollCounts[] = [];
    for (const floor of floors) {
      onProgress(`counting polls of ${floor.agents} agents`);
      const { agents } = floor;
      const settings = { userName: `floor-${agents}`, agents, tableName: tableNames.agents, time };
      const { run, ...polled } = polledFloor(meter, settings);
      polls.push(await countPolls({ ...polled, serve: (process) => counted(run(process)) }, floor));
    }
    return { calls, polls };
  } finally {
    meter.stop();
  }
};

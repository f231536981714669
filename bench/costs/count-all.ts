import { agentsTable, callsTable, quarantineTable } from '../../lib/contract/tables.ts';
import { endOfSlot, slotOf } from '../../lib/feed/slot.ts';
import { type CallCounts, countCalls } from './count-calls.ts';
import { countPolls, type PollCounts } from './count-polls.ts';
import type { Counts } from './counts.ts';
import type { Deployed } from './deployed.ts';
import { startMeter } from './meter.ts';
import { createPoller } from './poller.ts';
import { createPublisher } from './publisher.ts';
import { createReceiver } from './receiver.ts';
import { simulatedFloor } from './simulated-floor.ts';

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

/** Far ahead, since DynamoDB Local removes rows that have expired by the clock of the machine. */
const start = '2040-01-02T06:00:00.000Z';

/** Runs the functions on each kind of work, and counts what it takes. `onProgress` is told what is being done. */
export const countAll = async (
  { endpoint, tableNames }: EmptyTables,
  { deployment, subscription }: Pick<Deployed, 'deployment' | 'subscription'>,
  floors: readonly FloorSize[],
  onProgress: (what: string) => void = () => undefined,
): Promise<Counted> => {
  let nowMs = Date.parse(start);
  const clock = () => new Date(nowMs);
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
      const { answer, change } = simulatedFloor(floor.agents);
      const settings = { userName: `floor-${floor.agents}`, tableName: tableNames.agents, answer, clock };
      const processes = [createPoller(meter, settings), createPoller(meter, settings)] as const;
      const nextSlot = () => {
        nowMs = endOfSlot(slotOf(clock()));
      };
      polls.push(await countPolls({ change, nextSlot, serve: (process) => counted(processes[process]()) }, floor));
    }
    return { calls, polls };
  } finally {
    meter.stop();
  }
};

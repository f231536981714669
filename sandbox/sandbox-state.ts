import type { Addresses } from './addresses.ts';
import type { EventLog } from './bus/event-log.ts';
import type { FaultBoard, FaultState } from './faults/fault-board.ts';
import type { Queues } from './start-queues.ts';
import { sandboxTables } from './tables.ts';
import type { Counts, Tally } from './tally.ts';

/** What `GET /_sandbox` tells. Accounts are names, never keys. */
export interface SandboxState {
  readonly addresses: Addresses;
  readonly tables: readonly string[];
  readonly accounts: readonly string[];
  readonly faults: FaultState;
  readonly counts: Counts;
  /** Events on the bus, with those kept from earlier runs. */
  readonly events: number;
  /** Messages in the queues now. */
  readonly parked: number;
  readonly deadLetters: number;
}

/** What the state is read from. */
export interface Parts {
  /** Known once everything has started. */
  readonly addresses: Promise<Addresses>;
  readonly accounts: readonly string[];
  readonly board: FaultBoard;
  readonly tally: Tally;
  readonly queues: Pick<Queues, 'parking' | 'deadLetters'>;
  readonly log: EventLog;
}

/** The state of the sandbox now; while it starts, the answer waits. */
export const sandboxState = async ({
  addresses,
  accounts,
  board,
  tally,
  queues,
  log,
}: Parts): Promise<SandboxState> => ({
  addresses: await addresses,
  tables: Object.keys(sandboxTables),
  accounts,
  faults: board.state(),
  counts: tally.counts(),
  events: log.lines().length,
  parked: queues.parking.messages().length,
  deadLetters: queues.deadLetters.messages().length,
});

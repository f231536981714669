import type { Account } from '../lib/account/account.ts';
import type { Addresses } from './addresses.ts';
import { type ProviderCounts, providerState } from './agents/provider-state.ts';
import type { EventLog } from './bus/event-log.ts';
import type { FaultBoard, FaultState } from './faults/fault-board.ts';
import type { Simulator } from './simulator/index.ts';
import type { Queues } from './start-queues.ts';
import { sandboxTables } from './tables.ts';
import type { Counts, Tally } from './tally.ts';

/** What `GET /_sandbox` tells. Accounts are names, never keys. */
export interface SandboxState {
  readonly addresses: Addresses;
  readonly tables: readonly string[];
  readonly accounts: readonly string[];
  /** The zone of each account's local times. */
  readonly timeZones: Readonly<Record<string, string>>;
  readonly faults: FaultState;
  readonly counts: Counts;
  /** Events on the bus, with those kept from earlier runs. */
  readonly events: number;
  /** Messages in the queues now. */
  readonly parked: number;
  readonly deadLetters: number;
  /** What was asked of the simulated service, by account. */
  readonly provider: Readonly<Record<string, ProviderCounts>>;
}

/** What is there once everything has started; no simulator where nothing is simulated. */
export interface Running {
  readonly addresses: Addresses;
  readonly simulator: Simulator | undefined;
}

/** What the state is read from. */
export interface Parts {
  /** Known once everything has started. */
  readonly running: Promise<Running>;
  readonly accounts: readonly Account[];
  readonly board: FaultBoard;
  readonly tally: Tally;
  readonly queues: Pick<Queues, 'parking' | 'deadLetters'>;
  readonly log: EventLog;
}

/** The state of the sandbox now; while it starts, the answer waits. */
export const sandboxState = async (parts: Parts): Promise<SandboxState> => {
  const { accounts, board, tally, queues, log } = parts;
  const { addresses, simulator } = await parts.running;

  return {
    addresses,
    tables: Object.keys(sandboxTables),
    accounts: accounts.map(({ userName }) => userName),
    timeZones: Object.fromEntries(accounts.map(({ userName, timeZone }) => [userName, timeZone])),
    faults: board.state(),
    counts: tally.counts(),
    events: log.count(),
    parked: queues.parking.messages().length,
    deadLetters: queues.deadLetters.messages().length,
    provider: providerState(simulator),
  };
};

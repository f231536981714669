import type { Account } from '../lib/accounts/accounts.ts';
import type { EventLog } from './bus/event-log.ts';
import type { Counters, Counts } from './counters.ts';
import type { FaultBoard, FaultState } from './faults.ts';
import { queueNames, sandboxTables } from './local-aws.ts';
import { queueUrl } from './queue/sqs-endpoint.ts';
import type { Queues } from './queue/start-queues.ts';
import type { Simulator } from './simulator/index.ts';

/** What was asked of the simulated service for one account, in numbers. */
export interface ProviderCounts {
  readonly requests: number;
  /** Requests over the limit, those for tokens among them. */
  readonly overLimit: number;
  readonly maxPerMinute: number;
  readonly tokensGenerated: number;
  readonly agentsLoggedIn: number;
}

/** The counts of every account; none where nothing is simulated. */
const providerState = (simulator: Pick<Simulator, 'accounts'> | undefined): Readonly<Record<string, ProviderCounts>> =>
  Object.fromEntries(
    Object.entries(simulator?.accounts() ?? {}).map(
      ([name, { requests, overLimit, maxPerMinute, agentsLoggedIn, tokens }]) => [
        name,
        {
          requests,
          overLimit: overLimit + tokens.overLimit,
          maxPerMinute,
          tokensGenerated: tokens.generated,
          agentsLoggedIn,
        },
      ],
    ),
  );

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
export interface RunningSandbox {
  readonly addresses: Addresses;
  readonly simulator: Simulator | undefined;
}

/** What the state is read from. */
export interface SandboxParts {
  /** Known once everything has started. */
  readonly running: Promise<RunningSandbox>;
  readonly accounts: readonly Account[];
  readonly board: FaultBoard;
  readonly counters: Counters;
  readonly queues: Pick<Queues, 'parking' | 'deadLetters'>;
  readonly log: EventLog;
}

/** The state of the sandbox now; while it starts, the answer waits. */
export const sandboxState = async (parts: SandboxParts): Promise<SandboxState> => {
  const { accounts, board, counters, queues, log } = parts;
  const { addresses, simulator } = await parts.running;

  return {
    addresses,
    tables: Object.keys(sandboxTables),
    accounts: accounts.map(({ userName }) => userName),
    timeZones: Object.fromEntries(accounts.map(({ userName, timeZone }) => [userName, timeZone])),
    faults: board.state(),
    counts: counters.counts(),
    events: log.count(),
    parked: queues.parking.messages().length,
    deadLetters: queues.deadLetters.messages().length,
    provider: providerState(simulator),
  };
};

/** Where everything is. A callback secret is never part of it: `{secret}` stands in its place. */
export interface Addresses {
  readonly gateway: string;
  readonly callbacks: string;
  readonly sandbox: string;
  readonly events: string;
  readonly faults: string;
  readonly agents: string;
  readonly dynamodb: string;
  readonly provider: string;
  readonly eventbridge: string;
  readonly sqs: string;
  readonly parkingQueue: string;
  readonly deadLettersQueue: string;
  readonly tickQueue: string;
}

/** The addresses that follow from where each server listens. */
export const addressesOf = (
  urls: Pick<Addresses, 'gateway' | 'dynamodb' | 'provider' | 'eventbridge' | 'sqs'>,
  hasSecret: boolean,
): Addresses => ({
  ...urls,
  callbacks: `${urls.gateway}${hasSecret ? '/{secret}' : ''}/callDetails`,
  sandbox: `${urls.gateway}/_sandbox`,
  events: `${urls.gateway}/_sandbox/events`,
  faults: `${urls.gateway}/_sandbox/faults`,
  agents: `${urls.gateway}/_sandbox/agents`,
  parkingQueue: queueUrl(urls.sqs, queueNames.parking),
  deadLettersQueue: queueUrl(urls.sqs, queueNames.deadLetters),
  tickQueue: queueUrl(urls.sqs, queueNames.ticks),
});

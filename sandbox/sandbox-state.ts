import { type Account, keyFingerprint } from '../lib/accounts/accounts.ts';
import manifest from '../package.json' with { type: 'json' };
import type { AccountList } from './account-routes.ts';
import type { AccountsSecret } from './accounts-secret.ts';
import type { EventLog } from './bus/event-log.ts';
import type { Counters, Counts } from './counters.ts';
import type { FaultBoard, FaultState } from './faults.ts';
import { queueNames, sandboxTables } from './local-aws.ts';
import { queueUrl } from './queue/sqs-endpoint.ts';
import type { Queues } from './queue/start-queues.ts';
import type { Simulator } from './simulator/index.ts';

/** The answer of `GET /_sandbox`. It contains account names and fingerprints of keys, never keys. */
export interface SandboxState {
  readonly version: string;
  readonly addresses: Addresses;
  /** The ARN of the secret with the accounts. */
  readonly accountsSecret: string;
  readonly tables: readonly string[];
  readonly accounts: readonly string[];
  /** The time zone of each account. */
  readonly timeZones: Readonly<Record<string, string>>;
  /** The words that each account's settings add. */
  readonly words: Readonly<Record<string, NonNullable<Account['words']>>>;
  /** The fingerprints of each account's live keys in the secret. */
  readonly keyFingerprints: Readonly<Record<string, readonly string[]>>;
  readonly faults: FaultState;
  readonly counts: Counts;
  /** Events on the bus, including those of earlier runs. */
  readonly events: number;
  /** Messages that are in the queues now. */
  readonly parked: number;
  readonly deadLetters: number;
  /** Requests to the simulated service, by account. */
  readonly provider: Readonly<Record<string, ProviderCounts>>;
}

/** All addresses. They never contain the callback secret: `{secret}` replaces it. */
export interface Addresses {
  readonly gateway: string;
  readonly callbacks: string;
  readonly sandbox: string;
  readonly events: string;
  readonly faults: string;
  readonly agents: string;
  readonly accounts: string;
  readonly traffic: string;
  readonly dynamodb: string;
  readonly provider: string;
  readonly eventbridge: string;
  readonly sqs: string;
  readonly secretsmanager: string;
  readonly parkingQueue: string;
  readonly deadLettersQueue: string;
  readonly tickQueue: string;
  readonly reconciliationQueue: string;
}

/** Counts of requests to the simulated service for one account. */
export interface ProviderCounts {
  readonly requests: number;
  /** Requests beyond the rate limits, including those for tokens and reports. */
  readonly overLimit: number;
  readonly maxPerMinute: number;
  /** Requests for the call report. They have a limit of their own. */
  readonly reports: number;
  readonly maxReportsPerMinute: number;
  readonly tokensGenerated: number;
  readonly agentsLoggedIn: number;
}

/** Known once everything has started. The simulator and its accounts are undefined if nothing is simulated. */
export interface RunningSandbox {
  readonly addresses: Addresses;
  readonly simulator: Simulator | undefined;
  readonly service: AccountList | undefined;
}

/** The parts that the state is read from. */
export interface SandboxParts {
  /** Resolves once everything has started. */
  readonly running: Promise<RunningSandbox>;
  readonly secret: AccountsSecret;
  readonly board: FaultBoard;
  readonly counters: Counters;
  readonly queues: Pick<Queues, 'parking' | 'deadLetters'>;
  readonly log: EventLog;
}

/** The current state. While the sandbox starts, this waits. */
export const sandboxState = async (parts: SandboxParts): Promise<SandboxState> => {
  const { secret, board, counters, queues, log } = parts;
  const { addresses, simulator } = await parts.running;
  const accounts = secret.accounts();

  return {
    version: manifest.version,
    addresses,
    accountsSecret: secret.arn,
    tables: Object.keys(sandboxTables),
    accounts: accounts.map(({ userName }) => userName),
    timeZones: Object.fromEntries(accounts.map(({ userName, timeZone }) => [userName, timeZone])),
    words: Object.fromEntries(accounts.map(({ userName, words = {} }) => [userName, words])),
    keyFingerprints: Object.fromEntries(
      accounts.map(({ userName, apiKeys }) => [userName, apiKeys.map(keyFingerprint)]),
    ),
    faults: board.state(),
    counts: counters.counts(),
    events: log.count(),
    parked: queues.parking.messages().length,
    deadLetters: queues.deadLetters.messages().length,
    provider: providerState(simulator),
  };
};

/** The counts of every account; empty if nothing is simulated. */
const providerState = (simulator: Pick<Simulator, 'accounts'> | undefined): Readonly<Record<string, ProviderCounts>> =>
  Object.fromEntries(
    Object.entries(simulator?.accounts() ?? {}).map(
      ([name, { requests, overLimit, maxPerMinute, agentsLoggedIn, reports, tokens }]) => [
        name,
        {
          requests,
          overLimit: overLimit + tokens.overLimit + reports.overLimit,
          maxPerMinute,
          reports: reports.requests,
          maxReportsPerMinute: reports.maxPerMinute,
          tokensGenerated: tokens.generated,
          agentsLoggedIn,
        },
      ],
    ),
  );

/** All addresses, derived from those of the servers. */
export const addressesOf = (
  urls: Pick<Addresses, 'gateway' | 'dynamodb' | 'provider' | 'eventbridge' | 'sqs' | 'secretsmanager'>,
  hasSecret: boolean,
): Addresses => ({
  ...urls,
  callbacks: `${urls.gateway}${hasSecret ? '/{secret}' : ''}/callDetails`,
  sandbox: `${urls.gateway}/_sandbox`,
  events: `${urls.gateway}/_sandbox/events`,
  faults: `${urls.gateway}/_sandbox/faults`,
  agents: `${urls.gateway}/_sandbox/agents`,
  accounts: `${urls.gateway}/_sandbox/accounts`,
  traffic: `${urls.gateway}/_sandbox/traffic`,
  parkingQueue: queueUrl(urls.sqs, queueNames.parking),
  deadLettersQueue: queueUrl(urls.sqs, queueNames.deadLetters),
  tickQueue: queueUrl(urls.sqs, queueNames.ticks),
  reconciliationQueue: queueUrl(urls.sqs, queueNames.reconciliation),
});

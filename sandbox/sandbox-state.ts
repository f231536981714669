import { keyFingerprint } from '../lib/accounts/account-index.ts';
import type { Account } from '../lib/accounts/accounts.ts';
import manifest from '../package.json' with { type: 'json' };
import type { AccountList } from './account-routes.ts';
import type { AccountsSecret } from './accounts-secret.ts';
import type { EventLog } from './bus/event-log.ts';
import type { Counters } from './counters.ts';
import type { FaultBoard } from './faults.ts';
import { queueNames, recordingsBucket, sandboxTables } from './local-aws.ts';
import { queueUrl } from './queue/sqs-endpoint.ts';
import type { Queues } from './queue/start-queues.ts';
import type { AccountReport } from './simulator/accounts.ts';
import type { Simulator } from './simulator/index.ts';

/** Known once everything has started. The simulator and its accounts are undefined if nothing is simulated. */
export interface RunningSandbox {
  readonly addresses: Addresses;
  readonly simulator: Simulator | undefined;
  readonly service: AccountList | undefined;
}

export interface SandboxParts {
  readonly running: Promise<RunningSandbox>;
  readonly secret: AccountsSecret;
  readonly board: FaultBoard;
  readonly counters: Counters;
  readonly queues: Pick<Queues, 'parking' | 'deadLetters'>;
  readonly log: EventLog;
  readonly isArchiving: boolean;
}

/** The answer of `GET /_sandbox`. It contains account names and fingerprints of keys, never keys. */
export type SandboxState = Awaited<ReturnType<typeof sandboxState>>;

/** The current state. While the sandbox starts, this waits. */
export const sandboxState = async ({ running, secret, board, counters, queues, log, isArchiving }: SandboxParts) => {
  const { addresses, simulator } = await running;
  const accounts = secret.accounts();
  const byAccount = <Value>(read: (account: Account) => Value): Readonly<Record<string, Value>> =>
    Object.fromEntries(accounts.map((account) => [account.userName, read(account)]));

  return {
    version: manifest.version,
    addresses,
    accountsSecret: secret.arn,
    tables: Object.keys(sandboxTables),
    /** The bucket of recordings; absent unless they are archived. */
    recordingsBucket: isArchiving ? recordingsBucket : undefined,
    accounts: accounts.map(({ userName }) => userName),
    timeZones: byAccount(({ timeZone }) => timeZone),
    words: byAccount(({ words = {} }) => words),
    forwardTo: byAccount(({ forwardTo = [] }) => forwardTo),
    keyFingerprints: byAccount(({ apiKeys }) => apiKeys.map(keyFingerprint)),
    faults: board.state(),
    counts: counters.counts(),
    events: log.count(),
    parked: queues.parking.messages().length,
    deadLetters: queues.deadLetters.messages().length,
    /** Requests to the simulated service, by account; empty if nothing is simulated. */
    provider: Object.fromEntries(
      Object.entries(simulator?.accounts() ?? {}).map(([name, report]) => [name, providerCounts(report)]),
    ),
  };
};

const providerCounts = ({ requests, overLimit, maxPerMinute, agentsLoggedIn, reports, tokens }: AccountReport) => ({
  requests,
  /** Requests beyond the rate limits, including those for tokens and reports. */
  overLimit: overLimit + tokens.overLimit + reports.overLimit,
  maxPerMinute,
  reports: reports.requests,
  maxReportsPerMinute: reports.maxPerMinute,
  tokensGenerated: tokens.generated,
  agentsLoggedIn,
});

/** All addresses. They never contain the callback secret: `{secret}` replaces it. */
export type Addresses = ReturnType<typeof addressesOf>;

export const addressesOf = (
  urls: Readonly<Record<'gateway' | 'dynamodb' | 'provider' | 'eventbridge' | 'sqs' | 'secretsmanager' | 's3', string>>,
  hasSecret: boolean,
) => ({
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
  forwardingQueue: queueUrl(urls.sqs, queueNames.forwarding),
  forwardingDeadLettersQueue: queueUrl(urls.sqs, queueNames.forwardingDeadLetters),
  recordingsQueue: queueUrl(urls.sqs, queueNames.recordings),
  recordingsDeadLettersQueue: queueUrl(urls.sqs, queueNames.recordingsDeadLetters),
});

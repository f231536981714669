import { keyFingerprint } from '../lib/accounts/account-index.ts';
import type { Account } from '../lib/accounts/accounts.ts';
import manifest from '../package.json' with { type: 'json' };
import type { AccountsSecret } from './accounts-secret.ts';
import type { Counters } from './console-log.ts';
import type { FaultBoard } from './faults.ts';
import { sandboxTables } from './local-aws.ts';
import type { AccountReport } from './simulator/accounts.ts';
import type { Simulator } from './simulator/index.ts';
import type { RunningAws } from './start-aws.ts';

/** Known once everything has started. The simulator is undefined if nothing is simulated. */
export interface RunningSandbox {
  readonly addresses: Addresses;
  readonly simulator: Simulator | undefined;
}

export interface SandboxParts {
  readonly running: Promise<RunningSandbox>;
  readonly secret: AccountsSecret;
  readonly board: FaultBoard;
  readonly counters: Counters;
  readonly aws: RunningAws;
}

/** The answer of `GET /_sandbox`. It contains account names and fingerprints of keys, never keys. */
export type SandboxState = Awaited<ReturnType<typeof sandboxState>>;

/** The current state. While the sandbox starts, this waits. */
export const sandboxState = async ({ running, secret, board, counters, aws }: SandboxParts) => {
  const { addresses, simulator } = await running;
  const accounts = secret.accounts();
  const byAccount = <Value>(read: (account: Account) => Value): Readonly<Record<string, Value>> =>
    Object.fromEntries(accounts.map((account) => [account.userName, read(account)]));

  return {
    version: manifest.version,
    addresses,
    accountsSecret: secret.arn,
    tables: Object.keys(sandboxTables),
    accounts: accounts.map(({ userName }) => userName),
    timeZones: byAccount(({ timeZone }) => timeZone),
    words: byAccount(({ words = {} }) => words),
    forwardTo: byAccount(({ forwardTo = [] }) => forwardTo),
    keyFingerprints: byAccount(({ apiKeys }) => apiKeys.map(keyFingerprint)),
    faults: board.state(),
    counts: counters.counts(),
    events: aws.log.count(),
    parked: aws.parking.messages().length,
    deadLetters: aws.deadLetters.messages().length,
    /** Requests to the simulated service, by account; empty if nothing is simulated. */
    provider: Object.fromEntries(
      Object.entries(simulator?.accounts() ?? {}).map(([name, report]) => [name, providerCounts(report)]),
    ),
    ...aws.state,
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
  { urls, addresses }: Pick<RunningAws, 'urls' | 'addresses'>,
  others: Readonly<Record<'gateway' | 'dynamodb' | 'provider' | 'secretsmanager', string>>,
  hasSecret: boolean,
) => {
  const sandbox = `${others.gateway}/_sandbox`;
  const own = {
    callbacks: `${others.gateway}${hasSecret ? '/{secret}' : ''}/callDetails`,
    sandbox,
    events: `${sandbox}/events`,
    faults: `${sandbox}/faults`,
    agents: `${sandbox}/agents`,
    accounts: `${sandbox}/accounts`,
    traffic: `${sandbox}/traffic`,
  };
  return Object.assign({ ...urls, ...others, ...own }, addresses);
};

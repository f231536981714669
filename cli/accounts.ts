import { accountsIn, accountsKey, type NamedAccount, namedAccounts } from '../lib/accounts/account-index.ts';
import { type CallbackReceipts, receiptsKey, receiptsOf } from '../lib/agents/callback-receipts.ts';
import type { Deployment } from './connection/deployment.ts';
import type { Terminal } from './output/terminal.ts';
import { isDenied, isOfPart, Problem, problemOf } from './problem.ts';
import { rowAt } from './rows.ts';

type Tables = Pick<Deployment, 'dynamodb' | 'tables'>;

/**
 * The names and time zones of a deployment's accounts. The secret has them, and every key. Without the right to it they come from
 * the row that the poller writes, and also while Secrets Manager fails; `onFailure` then gets the reason. The row is up to five
 * minutes old, and a deployment that never polled has none.
 */
export const accountsOf = async (
  deployment: Tables & Pick<Deployment, 'accounts'>,
  onFailure: (why: string) => void,
): Promise<readonly NamedAccount[]> => {
  try {
    const { all } = await deployment.accounts();
    return namedAccounts(all);
  } catch (error) {
    if (!isOfPart(error)) throw error;
    const stored = await storedAccounts(deployment);
    if (stored !== undefined) {
      if (!isDenied(error)) onFailure(`${problemOf(error).message} The accounts are those that the poller noted last.`);
      return stored;
    }
    throw new Problem(
      `${problemOf(error).message} Nothing was polled yet, so no table names the accounts: give --account and --time-zone.`,
    );
  }
};

/** The same for one run of a command: they are read at the first call, and a failure is noted once. */
export const accountsOnce = (
  deployment: Tables & Pick<Deployment, 'accounts'>,
  { note }: Pick<Terminal, 'note'>,
): (() => Promise<readonly NamedAccount[]>) => {
  let reading: Promise<readonly NamedAccount[]> | undefined;
  return () => {
    reading ??= accountsOf(deployment, note);
    return reading;
  };
};

export const accountNames = async (
  deployment: Parameters<typeof accountsOf>[0],
  only: string | undefined,
  onFailure: (why: string) => void,
): Promise<readonly string[]> =>
  only === undefined ? (await accountsOf(deployment, onFailure)).map(({ userName }) => userName) : [only];

/** The names and time zones that the poller noted, up to five minutes ago; undefined where it never polled. */
export const storedAccounts = async (deployment: Tables): Promise<readonly NamedAccount[] | undefined> => {
  const row = await rowAt(deployment, deployment.tables.agents, accountsKey);
  return row && accountsIn(row);
};

/** When callbacks of an account came, and whether their events are published. */
export const callbackReceipts = async (deployment: Tables, account: string): Promise<CallbackReceipts> =>
  receiptsOf(await rowAt(deployment, deployment.tables.agents, receiptsKey(account)));

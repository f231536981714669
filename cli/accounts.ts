import {
  accountsIn,
  accountsKey,
  findAccount,
  type NamedAccount,
  namedAccounts,
} from '../lib/accounts/account-index.ts';
import type { Numbering } from '../lib/client/index.ts';
import type { Deployment } from './connection/deployment.ts';
import { isDenied, isOfPart, Problem, problemOf } from './problem.ts';
import { rowAt, type Tables } from './rows.ts';

type AccountSource = Tables & Pick<Deployment, 'accounts'>;

/**
 * The names and time zones of a deployment's accounts. The secret has them, and every key. Without the right to it they come from
 * the row that the poller writes, and also while Secrets Manager fails; `onFailure` then gets the reason. The row is up to five
 * minutes old, and a deployment that never polled has none.
 */
export const accountsOf = async (deployment: AccountSource, onFailure: (why: string) => void) => {
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

/** What the secret says of an account’s numbers, for readers whom no row tells; undefined without the right to the secret. */
export const numberingIn =
  (deployment: Pick<Deployment, 'accounts'>, account: string, onFailure: (why: string) => void) =>
  async (): Promise<Numbering | undefined> => {
    try {
      return findAccount(namedAccounts((await deployment.accounts()).all), account);
    } catch (error) {
      if (!isOfPart(error)) throw error;
      if (!isDenied(error)) onFailure(`${problemOf(error).message} Numbers are read as of the newest call’s country.`);
      return undefined;
    }
  };

export const accountNames = async (
  deployment: AccountSource,
  only: string | undefined,
  onFailure: (why: string) => void,
): Promise<readonly string[]> =>
  only === undefined ? (await accountsOf(deployment, onFailure)).map(({ userName }) => userName) : [only];

/** The names and time zones that the poller noted, up to five minutes ago; undefined where it never polled. */
export const storedAccounts = async (deployment: Tables): Promise<readonly NamedAccount[] | undefined> => {
  const row = await rowAt(deployment, deployment.tables.agents, accountsKey);
  return row && accountsIn(row);
};

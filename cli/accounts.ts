import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { accountsIn, accountsKey, type NamedAccount, namedAccounts } from '../lib/accounts/accounts-row.ts';
import { keyItem, unmarshalled } from '../lib/storage/attribute-values.ts';
import type { Deployment } from './connection/deployment.ts';
import { isDenied, isOfPart, Problem, problemOf } from './problem.ts';

type Accounts = Pick<Deployment, 'dynamodb' | 'tables' | 'accounts'>;

/**
 * The names and time zones of a deployment's accounts. Whoever may not read the secret, which has every key, gets them from the row
 * that the poller writes, and so does everybody while Secrets Manager fails, which `onFailure` gets to know. The row is up to five
 * minutes old, and a deployment that never polled has none.
 */
export const accountsOf = async (
  deployment: Accounts,
  onFailure: (why: string) => void = () => undefined,
): Promise<readonly NamedAccount[]> => {
  try {
    const { all } = await deployment.accounts();
    return namedAccounts(all);
  } catch (error) {
    if (!isOfPart(error)) throw error;
    if (!isDenied(error)) onFailure(problemOf(error).message);
    const stored = await storedAccounts(deployment);
    if (stored !== undefined) return stored;
    throw new Problem(
      `${problemOf(error).message} Nothing was polled yet, so no table names the accounts: give --account and --time-zone.`,
    );
  }
};

/** The names and time zones that the poller noted, up to five minutes ago; undefined where it never polled. */
export const storedAccounts = async ({
  dynamodb,
  tables,
}: Pick<Accounts, 'dynamodb' | 'tables'>): Promise<readonly NamedAccount[] | undefined> => {
  const get = new GetItemCommand({ TableName: tables.agents, Key: keyItem(accountsKey) });
  const { Item } = await dynamodb.send(get);
  return Item && accountsIn(unmarshalled(Item));
};

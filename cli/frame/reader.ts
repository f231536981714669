import { type CallfeedClient, createCallfeedClient, type Numbering, type Read } from '../../client/index.ts';
import {
  accountsIn,
  accountsKey,
  findAccount,
  type NamedAccount,
  namedAccounts,
} from '../../lib/accounts/account-index.ts';
import { type CallbackReceipts, receiptsKey, receiptsOf } from '../../lib/agents/callback-receipts.ts';
import { once } from '../../lib/core/collections.ts';
import type { Context } from './command.ts';
import type { Deployment, DeploymentLocation } from './deployment.ts';
import type { ReaderOptions } from './options.ts';
import { isDenied, isOfPart, Problem, problemOf } from './problem.ts';
import { type DeployedTables, rowAt } from './rows.ts';
import { counted } from './texts.ts';

type AccountSource = DeployedTables & Pick<Deployment, 'accounts'>;

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

/** What the secret says of an account’s numbers, for accounts that no row names; undefined without the right to the secret. */
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
export const storedAccounts = async (deployment: DeployedTables): Promise<readonly NamedAccount[] | undefined> => {
  const row = await rowAt(deployment, deployment.tables.agents, accountsKey);
  return row && accountsIn(row);
};

export const callbackReceipts = async (deployment: DeployedTables, account: string): Promise<CallbackReceipts> =>
  receiptsOf(await rowAt(deployment, deployment.tables.agents, receiptsKey(account)));

export const describeRead = ({ operation, table, index, rows, units }: Read): string =>
  `${operation} on ${table}${index === undefined ? '' : `, index ${index}`}: ${counted(rows, 'row')}, ${units} read units`;

export interface Reader {
  readonly deployment: Deployment;
  readonly account: string;
  readonly client: CallfeedClient;
  /** All accounts, for what the account's own rows do not have. They are read once, and a failure is noted once. */
  readonly accounts: () => Promise<readonly NamedAccount[]>;
}

export const reader = async (
  context: Context,
  options: DeploymentLocation & Partial<Pick<ReaderOptions, 'account' | 'verbose'>>,
): Promise<Reader> => {
  const deployment = await context.connect(options);
  const accounts = once(() => accountsOf(deployment, context.terminal.note));
  const account = options.account ?? onlyAccount(await accounts());
  return { deployment, account, client: clientOf(context, options, deployment, account), accounts };
};

export const clientOf = (
  { terminal, clock }: Pick<Context, 'terminal' | 'clock'>,
  { verbose = false }: Partial<Pick<ReaderOptions, 'verbose'>>,
  deployment: Deployment,
  account: string,
): CallfeedClient =>
  createCallfeedClient({
    dynamodb: deployment.dynamodb,
    tables: deployment.tables,
    account,
    numbering: numberingIn(deployment, account, terminal.note),
    clock,
    ...(verbose && { onRead: (read) => terminal.note(describeRead(read)) }),
  });

const onlyAccount = (accounts: readonly NamedAccount[]): string => {
  const [first, ...others] = accounts.map(({ userName }) => userName);
  if (first !== undefined && others.length === 0) return first;
  throw new Problem(`There are several accounts. Name one with --account (${[first, ...others].join(', ')}).`, 2);
};

import type { NamedAccount } from '../lib/accounts/account-index.ts';
import { type CallbackReceipts, receiptsKey, receiptsOf } from '../lib/agents/callback-receipts.ts';
import { type CallfeedClient, createCallfeedClient, type Read } from '../lib/client/index.ts';
import { once } from '../lib/core/collections.ts';
import { accountsOf, numberingIn } from './accounts.ts';
import type { Context } from './command.ts';
import type { Deployment, DeploymentLocation } from './connection/deployment.ts';
import type { ReaderOptions } from './options.ts';
import { counted } from './output/report.ts';
import { Problem } from './problem.ts';
import { rowAt, type Tables } from './rows.ts';

export const callbackReceipts = async (deployment: Tables, account: string): Promise<CallbackReceipts> =>
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

import type { CallfeedClient } from '../client/index.ts';
import { createCallfeedClient } from '../client/index.ts';
import type { Deployment } from './connection/deployment.ts';
import type { Context } from './context.ts';
import { readLine } from './output/read-line.ts';
import { Problem } from './problem.ts';
import type { ReaderOptions } from './reader-options.ts';

/** An account's calls and agents, and where they are. */
export interface Reader {
  readonly deployment: Deployment;
  readonly account: string;
  readonly client: CallfeedClient;
}

/** Reads the account that is meant. */
export const reader = async (context: Context, options: ReaderOptions): Promise<Reader> => {
  const deployment = await context.connect(options);
  const account = options.account ?? (await onlyAccount(deployment));
  return { deployment, account, client: clientOf(context, options, deployment, account) };
};

/** The client of one account, which says what it reads if it is asked to. */
export const clientOf = (
  { terminal, clock }: Pick<Context, 'terminal' | 'clock'>,
  { verbose }: Pick<ReaderOptions, 'verbose'>,
  { dynamodb, tables }: Deployment,
  account: string,
): CallfeedClient =>
  createCallfeedClient({
    dynamodb,
    tables,
    account,
    clock,
    ...(verbose && { onRead: (read) => terminal.note(readLine(read)) }),
  });

const onlyAccount = async (deployment: Deployment): Promise<string> => {
  const { all } = await deployment.accounts();
  const [first, ...others] = all.map(({ userName }) => userName);
  if (first !== undefined && others.length === 0) return first;
  throw new Problem(`There are several accounts: name one with --account (${[first, ...others].join(', ')}).`, 2);
};

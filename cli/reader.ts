import { type DayBounds, dayFrom } from '../lib/client/arguments.ts';
import { type CallfeedClient, createCallfeedClient, type Read } from '../lib/client/index.ts';
import { localDate } from '../lib/core/time.ts';
import { today } from './arguments.ts';
import type { Deployment } from './connection/deployment.ts';
import type { Context } from './context.ts';
import type { ReaderOptions } from './options.ts';
import { Problem } from './problem.ts';

/** A request to DynamoDB and what it read, in a line. */
export const describeRead = ({ operation, table, index, rows, units }: Read): string =>
  `${operation} on ${table}${index === undefined ? '' : `, index ${index}`}: ${rows} ${rows === 1 ? 'row' : 'rows'}, ${units} read units`;

/** Reads one account of a deployment. */
export interface Reader {
  readonly deployment: Deployment;
  readonly account: string;
  readonly client: CallfeedClient;
}

/** The reader of the account that `--account` names, or of the only one. */
export const reader = async (context: Context, options: ReaderOptions): Promise<Reader> => {
  const deployment = await context.connect(options);
  const account = options.account ?? (await onlyAccount(deployment));
  return { deployment, account, client: clientOf(context, options, deployment, account) };
};

/** The client of one account; with `--verbose` it prints each request. */
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
    ...(verbose && { onRead: (read) => terminal.note(describeRead(read)) }),
  });

const onlyAccount = async (deployment: Deployment): Promise<string> => {
  const { all } = await deployment.accounts();
  const [first, ...others] = all.map(({ userName }) => userName);
  if (first !== undefined && others.length === 0) return first;
  throw new Problem(`There are several accounts. Name one with --account (${[first, ...others].join(', ')}).`, 2);
};

/** A day in an account's time zone, such as 2026-11-21, and its bounds. */
export interface AccountDay extends DayBounds {
  readonly day: string;
  readonly timeZone: string;
}

/** The options that name a day. */
export interface DayOptions {
  readonly day: string;
  readonly timeZone?: string | undefined;
}

/** The day that the options name. Reads the accounts' secret only without `--time-zone`. */
export const accountDay = async (reader: Reader, options: DayOptions, now: Date): Promise<AccountDay> => {
  const timeZone = options.timeZone ?? (await zoneOf(reader));
  const day = options.day === today ? localDate(now.toISOString(), timeZone) : options.day;
  return { day, timeZone, ...dayFrom(day, timeZone) };
};

const zoneOf = async ({ deployment, account }: Reader): Promise<string> => {
  const zone = (await deployment.accounts()).accountNamed(account)?.timeZone;
  if (zone !== undefined) return zone;
  throw new Problem('The secret has no such account. Give its time zone with --time-zone.', 2);
};

import { type DayBounds, dayFrom } from '../lib/client/arguments.ts';
import { type CallfeedClient, createCallfeedClient, type Read } from '../lib/client/index.ts';
import { localDate } from '../lib/core/instant.ts';
import { today } from './arguments.ts';
import type { Deployment } from './connection/deployment.ts';
import type { Context } from './context.ts';
import type { ReaderOptions } from './options.ts';
import { Problem } from './problem.ts';

/** A request to DynamoDB and what it took, in a line. */
export const describeRead = ({ operation, table, index, rows, units }: Read): string =>
  `${operation} on ${table}${index === undefined ? '' : `, index ${index}`}: ${rows} ${rows === 1 ? 'row' : 'rows'}, ${units} read units`;

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
    ...(verbose && { onRead: (read) => terminal.note(describeRead(read)) }),
  });

const onlyAccount = async (deployment: Deployment): Promise<string> => {
  const { all } = await deployment.accounts();
  const [first, ...others] = all.map(({ userName }) => userName);
  if (first !== undefined && others.length === 0) return first;
  throw new Problem(`There are several accounts: name one with --account (${[first, ...others].join(', ')}).`, 2);
};

/** A day of an account's zone, as in 2026-11-21, and its bounds. */
export interface AccountDay extends DayBounds {
  readonly day: string;
  readonly timeZone: string;
}

/** What was typed of it. */
export interface DayOptions {
  readonly day: string;
  readonly timeZone?: string | undefined;
}

/** The day that is meant. The accounts' secret is read only where the zone was not typed. */
export const accountDay = async (reader: Reader, asked: DayOptions, now: Date): Promise<AccountDay> => {
  const timeZone = asked.timeZone ?? (await zoneOf(reader));
  const day = asked.day === today ? localDate(now.toISOString(), timeZone) : asked.day;
  return { day, timeZone, ...dayFrom(day, timeZone) };
};

const zoneOf = async ({ deployment, account }: Reader): Promise<string> => {
  const zone = (await deployment.accounts()).accountNamed(account)?.timeZone;
  if (zone !== undefined) return zone;
  throw new Problem('The secret has no such account; say its zone with --time-zone.', 2);
};

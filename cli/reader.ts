import {
  accountsIn,
  accountsKey,
  findAccount,
  type NamedAccount,
  namedAccounts,
} from '../lib/accounts/account-index.ts';
import { type CallbackReceipts, receiptsKey, receiptsOf } from '../lib/agents/callback-receipts.ts';
import { type DayBounds, dayFrom, type InstantRange, maxPeriodDays } from '../lib/client/arguments.ts';
import {
  type CallfeedClient,
  createCallfeedClient,
  type DayPeriod,
  type Numbering,
  type Read,
} from '../lib/client/index.ts';
import { once } from '../lib/core/collections.ts';
import { addDays, datesBetween, justBefore, localDate } from '../lib/core/time.ts';
import { today, yesterday } from './arguments.ts';
import type { Context } from './command.ts';
import type { Deployment, DeploymentLocation } from './connection/deployment.ts';
import type { RangeOptions, ReaderOptions } from './options.ts';
import { counted } from './output/report.ts';
import { printable, type Terminal } from './output/terminal.ts';
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
const storedAccounts = async (deployment: Tables): Promise<readonly NamedAccount[] | undefined> => {
  const row = await rowAt(deployment, deployment.tables.agents, accountsKey);
  return row && accountsIn(row);
};

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

type AskedRange = Partial<Pick<RangeOptions, 'day' | 'timeZone' | 'since' | 'from' | 'to'>>;

export const rejectZoneWithoutDay = ({ day, timeZone }: AskedRange): void => {
  if (day === undefined && timeZone !== undefined)
    throw new Problem('--time-zone needs --day: an instant has its own zone.', 2);
};

export const requestedRange = async (
  reader: Reader,
  { day, timeZone, since, from, to }: AskedRange,
  now: Date,
): Promise<InstantRange> => {
  if (since !== undefined)
    return { from: 'at' in since ? since.at : new Date(now.getTime() - since.agoMs).toISOString(), to: undefined };
  if (day === undefined) return { from, to };
  const { start, end } = await accountDay(reader, { day, timeZone }, now);
  return { from: start, to: justBefore(end) };
};

export const accountDay = async (
  reader: Reader,
  options: { readonly day: string; readonly timeZone?: string | undefined },
  now: Date,
) => {
  const timeZone = options.timeZone ?? (await zoneOf(reader));
  const present = localDate(now.toISOString(), timeZone);
  const named: Readonly<Record<string, string>> = { [today]: present, [yesterday]: addDays(present, -1) };
  const day = named[options.day] ?? options.day;
  return { day, timeZone, ...dayFrom(day, timeZone) };
};

export interface AccountPeriod extends DayPeriod, DayBounds {
  readonly timeZone: string;
}

/** One day, or several that have begun. */
export const accountPeriod = async (
  reader: Reader,
  { from, to, timeZone: zone }: DayPeriod & { readonly timeZone?: string | undefined },
  now: Date,
): Promise<AccountPeriod> => {
  const { day: first, start, timeZone, end: endOfFirst } = await accountDay(reader, { day: from, timeZone: zone }, now);
  if (from === to) return { from: first, to: first, timeZone, start, end: endOfFirst };
  const { day: last, start: startOfLast, end } = await accountDay(reader, { day: to, timeZone }, now);
  if (first > last) throw new Problem(`The period ends before it begins: ${first} to ${last}.`, 2);
  if (startOfLast > now.toISOString()) throw new Problem(`${last} has not begun in ${timeZone}.`, 2);
  const { length } = datesBetween(first, last);
  if (length > maxPeriodDays)
    throw new Problem(`A period has up to ${maxPeriodDays} days, and ${first} to ${last} has ${length}.`, 2);
  return { from: first, to: last, timeZone, start, end };
};

const zoneOf = async ({ accounts, account }: Reader): Promise<string> => {
  const zone = findAccount(await accounts(), account)?.timeZone;
  if (zone !== undefined) return zone;
  throw new Problem('The deployment has no such account. Give its time zone with --time-zone.', 2);
};

/** The zone for times that people read: from the options, or of the account. Nobody needs the secret for it. */
export const shownZone = async (
  terminal: Pick<Terminal, 'note'>,
  { deployment, account }: Reader,
  { timeZone }: Pick<RangeOptions, 'timeZone'>,
): Promise<string> => {
  const zone = timeZone ?? findAccount((await storedAccounts(deployment)) ?? [], account)?.timeZone;
  if (zone === undefined)
    terminal.note(`Times are in UTC: no poll of ${printable(account)} has noted its time zone yet.`);
  return zone ?? 'UTC';
};

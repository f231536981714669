import { accountsIn, accountsKey, findAccount, type NamedAccount } from '../lib/accounts/account-index.ts';
import { countryOf } from '../lib/accounts/accounts.ts';
import { partitionKey, sortKeys } from '../lib/calls/call-keys.ts';
import type { ListedCall } from '../lib/contract/rows.ts';
import { joinedKey, type Row } from '../lib/storage/rows.ts';
import { callerKey, machineSpellings } from '../lib/telephony/caller-key.ts';
import { countryOfZone } from '../lib/telephony/zone-countries.ts';
import type { InstantRange } from './arguments.ts';
import { type CallList, defaultPageSize, maxPageSize } from './calls.ts';
import { type CallsTable, defaultMostCalls, type LookThrough, readCallsByTime } from './calls-by-time.ts';
import { type CallQuery, isCursorOf, placeAfter } from './cursor.ts';
import { type FoundRow, foundList } from './joined-lists.ts';
import { byCustomer, byTime } from './query-keys.ts';
import { readStoredCall } from './read-rows.ts';
import { pages, type TableReader } from './table-reader.ts';

/** What decides whose a number is. */
export type Numbering = Partial<Pick<NamedAccount, 'country' | 'sharedNumbers'>>;

export interface NumberedTables {
  readonly calls: TableReader;
  readonly agents: TableReader;
  readonly account: string;
  /** Asked where no row names the account. */
  readonly numbering?: (() => Promise<Numbering | undefined>) | undefined;
}

/**
 * How the account's numbers are read: as the row has it that names accounts to readers. The poller writes that, for accounts
 * without polling too. Where there is no poller, the caller of the client may know it; else the newest call has the country.
 */
export const readNumbering = async ({ calls, agents, account, numbering }: NumberedTables): Promise<Numbering> => {
  const row = await agents.row(accountsKey);
  const noted = row && findAccount(accountsIn(row), account);
  if (noted !== undefined) return { ...noted, country: countryOf(noted) };
  return (await numbering?.()) ?? { country: await countryOfNewestCall(calls, account) };
};

const countryOfNewestCall = async (calls: TableReader, account: string): Promise<string | undefined> => {
  const newest = { ...byTime, partition: joinedKey(account), isBackwards: true };
  const [key] = (await calls.page(newest, { limit: 1 })).rows;
  const row = key && (await calls.row({ pk: String(key['pk']), sk: String(key['sk']) }));
  if (row === undefined) return undefined;
  const { deliveries, timeZone } = readStoredCall(row);
  return countryOf({ country: deliveries.findLast(({ country }) => country !== undefined)?.country, timeZone });
};

/** The keys of the index have numbers as they were sent: those under which a number may be, as typed and as machines write it. */
export const customerKeys = (number: string, country: string | undefined): readonly string[] => [
  ...new Set([number.trim(), ...machineSpellings(number, country)]),
];

/** The calls of a customer whose number was sent otherwise than the index is asked for. */
export interface OtherSpellings {
  /** Newest first. */
  readonly calls: readonly ListedCall[];
  /** Whether each call of the range was looked at; not without a range, and not where it has too many calls. */
  readonly isComplete: boolean;
}

const usualSpellingsOnly: OtherSpellings = { calls: [], isComplete: false };

interface CustomerTables extends NumberedTables, CallsTable {
  readonly clock: () => Date;
}

interface CustomerQuestion extends InstantRange {
  readonly number: string;
}

/** Whose number is the same, by the rule for missed calls. Each text is read once. */
export const sameCaller = (number: string, country: string | undefined): ((call: ListedCall) => boolean) => {
  const caller = callerKey(number, country);
  const isSameByText = new Map<string, boolean>();
  return ({ customerNumber = '', timeZone = '' }) => {
    const home = country ?? countryOfZone(timeZone);
    const text = `${home} ${customerNumber}`;
    const isSame = isSameByText.get(text) ?? callerKey(customerNumber, home) === caller;
    isSameByText.set(text, isSame);
    return isSame;
  };
};

/**
 * The index has a number only as it was sent, and nobody can list how people and machines decorate one. So each call of the range
 * is looked at. Where these are too many, it finds none and says so.
 */
export const readOtherSpellings = async (
  { clock, ...tables }: CustomerTables,
  { number, from, to }: CustomerQuestion,
  { maxCalls, onProgress, numbering }: LookThrough & { readonly numbering?: Numbering } = {},
): Promise<OtherSpellings> => {
  if ((from ?? to) === undefined) return usualSpellingsOnly;
  const { country } = numbering ?? (await readNumbering(tables));
  // A text that is no number has no other spelling.
  if (callerKey(number, country) === undefined) return { calls: [], isComplete: true };
  const isCaller = sameCaller(number, country);
  const usual = new Set(customerKeys(number, country));
  const most = maxCalls ?? defaultMostCalls({ from, to }, clock().toISOString());
  const calls = await readCallsByTime(
    tables,
    { from, to, most, onProgress },
    (call) => call.customerNumber !== undefined && !usual.has(call.customerNumber) && isCaller(call),
  );
  return 'moreThan' in calls ? usualSpellingsOnly : { calls, isComplete: true };
};

/**
 * The calls of a customer as one list, newest first: those that the index has in usual spellings of the number, and beside them those
 * in other spellings, which are looked for unless they are given. Reads nothing before it is iterated.
 */
export const customerCallList = (
  tables: CustomerTables,
  { number, ...range }: CustomerQuestion,
  given?: OtherSpellings,
): CallList => {
  const { calls, account } = tables;
  const inUsual: CallQuery = { ...byCustomer, partition: joinedKey(account, number), ...range };
  const inEvery: CallQuery = { ...inUsual, partOf: 'every spelling' };
  // A list goes on as it began, however many calls its range has by then.
  const queryOf = (cursor: string) => (isCursorOf(inEvery, cursor) ? inEvery : inUsual);

  const othersFor = async (rest: InstantRange, begun: CallQuery | undefined, numbering: Numbering) => {
    if (begun === inUsual) return usualSpellingsOnly;
    const maxCalls = begun === undefined ? undefined : Number.POSITIVE_INFINITY;
    return given ?? (await readOtherSpellings(tables, { number, ...rest }, { maxCalls, numbering }));
  };

  /** Behind a cursor others of the same instant come by their keys. */
  async function* rowsAfter(cursor?: string, needed = defaultPageSize): AsyncGenerator<FoundRow, void> {
    const begun = cursor === undefined ? undefined : queryOf(cursor);
    const after = cursor === undefined ? undefined : placeAfter(queryOf(cursor), cursor);
    const rest = { from: range.from, to: after?.at ?? range.to };
    const numbering = await readNumbering(tables);
    const others = await othersFor(rest, begun, numbering);
    const list = others.isComplete ? inEvery : inUsual;
    const rows = customerKeys(number, numbering.country).map((key) => {
      const query = { ...list, ...rest, partition: joinedKey(account, key) };
      // newestFirst reads one row ahead of what it gives, and that row shall not cost another request.
      return rowsOf(calls, query, Math.min(needed + 1, maxPageSize));
    });
    for await (const row of newestFirst([...rows, rowsIn(others)]))
      if (after === undefined || placeOf(row) < `${after.at} ${after.pk}`) yield { query: list, row };
  }
  return foundList(rowsAfter, (cursor) => placeAfter(queryOf(cursor), cursor));
};

async function* rowsIn({ calls }: OtherSpellings): AsyncGenerator<Row, void> {
  for (const call of calls) yield { ...call, pk: partitionKey(call.account, call.callId), sk: sortKeys.call };
}

async function* rowsOf(table: TableReader, query: CallQuery, limit: number): AsyncGenerator<Row, void> {
  for await (const { rows } of pages(table, { ...query, isBackwards: true }, { limit })) yield* rows;
}

const instantOf = (row: Row): string => String(row['listedAt']);
const placeOf = (row: Row): string => `${instantOf(row)} ${row['pk']}`;

/** DynamoDB gives rows of one instant in no order, so they are sorted together. A call whose number changes meanwhile is in two lists. */
async function* newestFirst(lists: readonly AsyncIterator<Row>[]): AsyncGenerator<Row, void> {
  const heads = await Promise.all(lists.map((list) => list.next()));
  for (;;) {
    const newest = heads
      .flatMap(({ done, value }) => (done === true ? [] : [instantOf(value)]))
      .sort()
      .at(-1);
    if (newest === undefined) return;
    const together = new Map<unknown, Row>();
    for (const [index, list] of lists.entries()) {
      let head = heads[index];
      while (head?.done === false && instantOf(head.value) === newest) {
        together.set(head.value['pk'], head.value);
        head = await list.next();
      }
      if (head !== undefined) heads[index] = head;
    }
    yield* [...together.values()].sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
  }
}

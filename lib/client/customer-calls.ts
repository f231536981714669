import { accountsIn, accountsKey, findAccount, type NamedAccount } from '../accounts/account-index.ts';
import { countryOf } from '../accounts/accounts.ts';
import { joinedKey, type Row } from '../storage/rows.ts';
import { machineSpellings } from '../telephony/caller-key.ts';
import type { InstantRange } from './arguments.ts';
import {
  type CallList,
  type CallQuery,
  defaultPageSize,
  type FoundRow,
  foundList,
  maxPageSize,
  placeAfter,
} from './calls.ts';
import { byCustomer, byTime, portions, readCall, type TableReader } from './table-reader.ts';

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
  const [key] = (await calls.portion(newest, { limit: 1 })).rows;
  const row = key && (await calls.row({ pk: String(key['pk']), sk: String(key['sk']) }));
  if (row === undefined) return undefined;
  const { deliveries, timeZone } = readCall(row);
  return countryOf({ country: deliveries.findLast(({ country }) => country !== undefined)?.country, timeZone });
};

/** The keys of the index have numbers as they were sent: those under which a number may be, as typed and as machines write it. */
export const customerKeys = (number: string, country: string | undefined): readonly string[] => [
  ...new Set([number.trim(), ...machineSpellings(number, country)]),
];

/** The calls of a number in all its spellings as one list, newest first. Reads nothing before it is iterated. */
export const customerCallList = (
  tables: NumberedTables,
  { number, ...range }: InstantRange & { readonly number: string },
): CallList => {
  const { calls, account } = tables;
  const list: CallQuery = { ...byCustomer, partition: joinedKey(account, number), ...range };

  /** Behind a cursor others of the same instant come by their keys. */
  async function* rowsAfter(cursor?: string, needed = defaultPageSize): AsyncGenerator<FoundRow, void> {
    const after = cursor === undefined ? undefined : placeAfter(list, cursor);
    const keys = customerKeys(number, (await readNumbering(tables)).country);
    const rows = keys.map((key) => {
      const query = { ...list, partition: joinedKey(account, key), to: after?.at ?? range.to };
      // newestFirst reads one row ahead of what it gives, and that row shall not cost another request.
      return rowsOf(calls, query, Math.min(needed + 1, maxPageSize));
    });
    for await (const row of newestFirst(rows))
      if (after === undefined || placeOf(row) < `${after.at} ${after.pk}`) yield { query: list, row };
  }
  return foundList(rowsAfter, (cursor) => placeAfter(list, cursor));
};

async function* rowsOf(table: TableReader, query: CallQuery, limit: number): AsyncGenerator<Row, void> {
  for await (const { rows } of portions(table, { ...query, isBackwards: true }, { limit })) yield* rows;
}

const instantOf = (row: Row): string => String(row['listedAt']);
const placeOf = (row: Row): string => `${instantOf(row)} ${row['pk']}`;

/** DynamoDB gives rows of one instant in no order, so they are sorted together. */
async function* newestFirst(lists: readonly AsyncIterator<Row>[]): AsyncGenerator<Row, void> {
  const heads = await Promise.all(lists.map((list) => list.next()));
  for (;;) {
    const newest = heads
      .flatMap(({ done, value }) => (done === true ? [] : [instantOf(value)]))
      .sort()
      .at(-1);
    if (newest === undefined) return;
    const together: Row[] = [];
    for (const [index, list] of lists.entries()) {
      let head = heads[index];
      while (head?.done === false && instantOf(head.value) === newest) {
        together.push(head.value);
        head = await list.next();
      }
      if (head !== undefined) heads[index] = head;
    }
    yield* together.sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1));
  }
}

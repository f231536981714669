import { accountsIn, accountsKey, findAccount, type NamedAccount } from '../accounts/account-index.ts';
import { countryOf } from '../accounts/accounts.ts';
import { partitionKey, sortKeys } from '../calls/call-keys.ts';
import type { ListedCall } from '../contract/rows.ts';
import { joinedKey } from '../storage/rows.ts';
import { e164, machineSpellings } from '../telephony/e164.ts';
import { type InstantRange, numberFrom } from './arguments.ts';
import {
  type CallList,
  type CallPage,
  type CallQuery,
  callList,
  cursorAfter,
  maxPageSize,
  placeAfter,
} from './calls.ts';
import { byCustomer, byTime, readCall, type TableReader } from './table-reader.ts';

export interface Customer {
  readonly account: string;
  /** As somebody typed it. */
  readonly number: string;
  /** The country of the account's numbers, where it is known. */
  readonly country: () => Promise<string | undefined>;
}

/** What the poller noted of an account; undefined where nothing is polled. */
export const readAccount = async (agents: TableReader, account: string): Promise<NamedAccount | undefined> => {
  const row = await agents.row(accountsKey);
  return row && findAccount(accountsIn(row), account);
};

/** The country of an account's numbers: as the poller noted it, or as the newest call has it. */
export const readCountry = async (
  calls: TableReader,
  agents: TableReader,
  account: string,
): Promise<string | undefined> => {
  const noted = await readAccount(agents, account);
  if (noted !== undefined) return countryOf(noted);

  const newest = { ...byTime, partition: joinedKey(account), isBackwards: true };
  const [key] = (await calls.portion(newest, { limit: 1 })).rows;
  const row = key && (await calls.row({ pk: String(key['pk']), sk: String(key['sk']) }));
  if (row === undefined) return undefined;
  const { deliveries, timeZone } = readCall(row);
  return countryOf({ country: deliveries.findLast(({ country }) => country !== undefined)?.country, timeZone });
};

/** The keys of the index have numbers as they were sent: those under which a number may be, as typed and as machines write it. */
export const customerKeys = (number: string, country: string | undefined): readonly string[] => {
  const known = e164(number, country);
  return [...new Set([number.trim(), ...(known === undefined ? [] : machineSpellings(known, country))])];
};

/** Some 100 KB for each spelling, so that a caller who stops after a few calls does not pay for thousands. */
const defaultSize = 100;

/** The calls of a number in all its spellings as one list, newest first. Reads nothing before it is iterated. */
export const customerCallList = (
  table: TableReader,
  { account, number, country }: Customer,
  range: InstantRange,
): CallList => {
  const list: CallQuery = { ...byCustomer, partition: joinedKey(account, number), ...range };
  const keyOf = ({ callId }: ListedCall) => partitionKey(account, callId);

  /** `after` is the place of the last call before: others of the same instant come behind it by their keys. */
  async function* callsBehind(size: number, after?: ReturnType<typeof placeAfter>): AsyncGenerator<ListedCall, void> {
    const keys = customerKeys(number, await country());
    const lists = keys.map((key) => {
      const one = { ...byCustomer, partition: joinedKey(account, key), ...range, ...(after && { to: after.at }) };
      return callsOf(callList(table, one), size);
    });
    for await (const call of newestFirst(lists, keyOf))
      if (call.listedAt !== after?.at || keyOf(call) < after.pk) yield call;
  }

  async function* pages(size: number, cursor: string | undefined): AsyncGenerator<CallPage, void> {
    const after = cursor === undefined ? undefined : placeAfter(list, cursor);
    let calls: ListedCall[] = [];
    // One call more shows whether there is a further page.
    for await (const call of callsBehind(Math.min(size + 1, maxPageSize), after)) {
      const last = calls.length < size ? undefined : calls.at(-1);
      if (last !== undefined) {
        const { listedAt } = last;
        yield { calls, next: cursorAfter(list, { pk: keyOf(last), sk: sortKeys.call, listedAt }) };
        calls = [];
      }
      calls.push(call);
    }
    yield { calls, next: undefined };
  }

  return {
    pages(size, cursor) {
      if (cursor !== undefined) placeAfter(list, cursor);
      return pages(numberFrom('size', size, maxPageSize), cursor);
    },
    [Symbol.asyncIterator]: () => callsBehind(defaultSize),
  };
};

async function* callsOf(list: CallList, size: number): AsyncGenerator<ListedCall, void> {
  for await (const { calls } of list.pages(size)) yield* calls;
}

async function* newestFirst(
  lists: readonly AsyncIterator<ListedCall>[],
  keyOf: (call: ListedCall) => string,
): AsyncGenerator<ListedCall, void> {
  const heads = await Promise.all(lists.map((list) => list.next()));
  for (;;) {
    const newest = heads
      .flatMap(({ done, value }) => (done === true ? [] : [value.listedAt]))
      .sort()
      .at(-1);
    if (newest === undefined) return;
    const together: ListedCall[] = [];
    for (const [index, list] of lists.entries()) {
      let head = heads[index];
      while (head?.done !== true && head?.value.listedAt === newest) {
        together.push(head.value);
        head = await list.next();
      }
      if (head !== undefined) heads[index] = head;
    }
    yield* together.sort((a, b) => (keyOf(a) < keyOf(b) ? 1 : -1));
  }
}

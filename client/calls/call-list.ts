import type { ListedCall } from '../../lib/contract/rows.ts';
import { numberFrom } from '../arguments/number-from.ts';
import type { CallList, CallPage } from '../call-lists.ts';
import { readListedCall } from '../reading/row-readers.ts';
import type { TableReader } from '../reading/table-reader.ts';
import { cursorAfter, keyAfter, type List } from './cursor.ts';

const pageSize = { least: 1, most: 1000, isWhole: true };

/** Some 100 KB: who stops after a few calls has not paid for thousands. */
const usualSize = 100;

/** A list of calls, newest first. Nothing is read before it is walked along. */
export const callList = (table: TableReader, list: List): CallList => ({
  pages(size, cursor) {
    const limit = numberFrom('size', size, pageSize);
    return pagesOf(table, list, { limit, after: cursor === undefined ? undefined : keyAfter(list, cursor) });
  },
  async *[Symbol.asyncIterator](): AsyncGenerator<ListedCall, void> {
    for await (const { calls } of pagesOf(table, list, { limit: usualSize, after: undefined })) yield* calls;
  },
});

/**
 * One page for each request. DynamoDB tells that a list is over by a last answer without rows, which is a page only if it
 * is the first.
 */
async function* pagesOf(
  table: TableReader,
  list: List,
  portion: { readonly limit: number; readonly after: ReturnType<typeof keyAfter> | undefined },
): AsyncGenerator<CallPage, void> {
  let { after } = portion;
  let isFirst = true;
  do {
    const { rows, next } = await table.portion({ ...list, isBackwards: true }, { limit: portion.limit, after });
    const last = rows.at(-1);
    if (isFirst || last !== undefined)
      yield { calls: rows.map(readListedCall), next: next && last && cursorAfter(list, last) };
    isFirst = false;
    after = next;
  } while (after !== undefined);
}

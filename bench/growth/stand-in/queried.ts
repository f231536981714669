import type * as z from 'zod';
import { itemBytes } from '../../../test/support/row-limits.ts';
import type { Item } from '../../costs/write-units.ts';
import type { KeptRows } from './kept-rows.ts';
import type { Query } from './requests.ts';

/** A page ends with the row that makes it as large. */
const pageBytes = 1024 * 1024;

/** The first page of what a query asks for. */
export const queried = (
  { partition }: KeptRows,
  { TableName, ExpressionAttributeValues: values, ExclusiveStartKey: after }: z.infer<typeof Query>,
) => {
  const { ':pk': pk, ':from': from, ':to': to } = values;
  const asked = partition(TableName, pk.S).filter(({ sk: { S: sk = '' } = {} }) => {
    const isBetween = from === undefined || to === undefined || (from.S <= sk && sk <= to.S);
    return isBetween && (after === undefined || sk > after.sk.S);
  });

  const page: Item[] = [];
  let bytes = 0;
  for (const row of asked) {
    if (bytes >= pageBytes) break;
    page.push(row);
    bytes += itemBytes(row);
  }
  const last = page.at(-1);
  const isCut = last !== undefined && page.length < asked.length;
  return { Items: page, Count: page.length, ...(isCut && { LastEvaluatedKey: { pk: last['pk'], sk: last['sk'] } }) };
};

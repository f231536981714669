import * as z from 'zod/mini';
import { withOwnKey } from '../../lib/accounts/account-index.ts';
import { postingShape, storedShape } from '../../lib/calls/stored-delivery.ts';
import { contentHash, decompressText } from '../../lib/core/encoding.ts';
import { type Row, readRow } from '../../lib/storage/rows.ts';

const { id, receivedAt, asSent } = storedShape();
const text = z.optional(z.string());
const PostedDelivery = z.object({ id, receivedAt, asSent, ...postingShape(), source: text, erasedAt: text });
type PostedDelivery = z.infer<typeof PostedDelivery>;
const Deliveries = z.object({ deliveries: z.array(PostedDelivery) });

/** The deliveries of a row that the service posted, the first received first. */
const postedDeliveries = (row: Row): readonly PostedDelivery[] =>
  readRow(Deliveries, row).deliveries.filter(({ source }) => source === undefined);

/** Names a delivery's post by its text: the rules for ids may change. All deliveries of one list have one name. */
const postName = ({ asSent, postedIn }: PostedDelivery): string => contentHash(postedIn ?? asSent);

export const postNames = (row: Row): ReadonlySet<string> =>
  new Set(
    postedDeliveries(row)
      .filter(({ erasedAt }) => erasedAt === undefined)
      .map(postName),
  );

interface StoredPost {
  readonly text: string;
  readonly keyField: string | undefined;
  /** False while the row of one of its records is not written yet. */
  readonly isWhole: boolean;
  /** Whether no other post of the call was received before: none can hold it up in the queue. */
  readonly isFirst: boolean;
}

/** A post of a call's rows, with the account's key where it was; undefined if they have it no more, or a person was erased from it. */
export const storedPost = (rows: readonly Row[], post: string, key: string): StoredPost | undefined => {
  // A call's partition has entries of its further agents too.
  const deliveries = rows.filter((row) => 'deliveries' in row).flatMap(postedDeliveries);
  const one = deliveries.find((delivery) => postName(delivery) === post);
  if (one === undefined) return undefined;
  const isFirst = deliveries.every((other) => other.receivedAt >= one.receivedAt);
  const { ids, around, keyField } = one.postedIn ?? { ids: [one.id], around: [] };
  const isNamed = (id: string) => (delivery: PostedDelivery) => id === delivery.id || id === delivery.formerId;
  const named = ids.flatMap((id) => [one, ...deliveries].find(isNamed(id)) ?? []);
  // A delivery that was derived again while its account was not forwarded kept no `formerId`, and is found by its post.
  const ofPost = deliveries.filter((delivery) => postName(delivery) === post);
  const found = named.length === ids.length ? named : [...new Set([...named, ...ofPost])].slice(0, ids.length);
  if (found.some(({ erasedAt }) => erasedAt !== undefined)) return undefined;

  const texts = found.map(({ asSent, keysAt }) => withOwnKey(decompressText(asSent), key, keysAt));
  if (found.length < ids.length) return { text: `[${texts.join(',')}]`, keyField, isWhole: false, isFirst };
  const text = texts.reduce((before, each, index) => `${before}${each}${around[index + 1] ?? ''}`, around[0] ?? '');
  return { text, keyField, isWhole: true, isFirst };
};

/**
 * The body of the service's post: the form field `data`, and the fields beside it.
 * @example postBody('{}', { Apikey: 'KEY' }) // data=%7B%7D&Apikey=KEY
 */
export const postBody = (data: string, beside: Readonly<Record<string, string>>): string =>
  Object.entries({ data: data.toWellFormed(), ...beside })
    .map((field) => field.map(encodeURIComponent).join('='))
    .join('&');

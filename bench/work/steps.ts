import { hash } from 'node:crypto';
import { parse } from 'node:querystring';
import { readAccounts } from '../../lib/account/account.ts';
import { accountBook } from '../../lib/account/account-book.ts';
import { checkSender } from '../../lib/account/check-sender.ts';
import { claimsOf } from '../../lib/callback/claims-of.ts';
import { deliveriesOf } from '../../lib/callback/deliveries-of.ts';
import { openEnvelope } from '../../lib/callback/open-envelope.ts';
import { recognise } from '../../lib/callback/recognise.ts';
import type { Result } from '../../lib/result.ts';
import type { Round } from './measured.ts';

/** Does something with the body of a post. Throws if that is not what it is taken for. */
export type Step = (body: string) => unknown;

const good = <Value>(result: Result<Value, unknown>): Value => {
  if (result.ok) return result.value;
  throw new Error(`A payload is refused: ${JSON.stringify(result.problem)}`);
};

const book = accountBook(good(readAccounts(JSON.stringify([{ userName: 'demo', apiKeys: ['demo-key'] }]))));

const open = (body: string) => good(openEnvelope({ content: { form: parse(body) }, query: {} }));

const check = (body: string) => {
  const { value, keysBeside } = open(body);
  const records = Array.isArray(value) ? value : [value];
  const recognised = recognise(records);
  const account = good(checkSender(book, claimsOf(records, recognised, { keysBeside, secretProven: false })));
  return { recognised, account };
};

const normalise = (body: string) => {
  const { recognised, account } = check(body);
  const { deliveries } = deliveriesOf(recognised, {
    account,
    receivedAt: '2026-11-20T06:00:00.000Z',
    masked: book.masked,
  });
  if (deliveries.length === 0) throw new Error('A payload says nothing');
  return deliveries;
};

/**
 * What is done by calls into Node alone and by no code of ours, if the sender is known by a hash of the key and a delivery
 * by a hash of its content.
 */
const least = (body: string): readonly string[] => {
  const value: unknown = JSON.parse(String(parse(body)['data']));
  return [hash('sha256', 'demo-key'), hash('sha256', JSON.stringify(value))];
};

/**
 * What is timed: the bare decoding, which any receiver does; the least that ours can do; the form by the parser that the
 * function's stands on; with it the JSON; with that whose it is; and what it says and is named by, which is all that is
 * left to store.
 */
export const steps: Readonly<Record<keyof Round, Step>> = {
  floor: (body) => JSON.parse(new URLSearchParams(body).get('data') ?? ''),
  least,
  form: (body) => parse(body),
  open,
  check,
  normalise,
};

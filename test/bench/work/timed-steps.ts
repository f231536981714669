import { hash } from 'node:crypto';
import { parse } from 'node:querystring';
import { accountIndex } from '../../../lib/accounts/account-index.ts';
import { parseAccounts } from '../../../lib/accounts/accounts.ts';
import { senderCredentials, verifySender } from '../../../lib/callback/authenticate-sender.ts';
import { classifyRecords } from '../../../lib/callback/classify-records.ts';
import { normaliseRecords } from '../../../lib/callback/normalise-records.ts';
import { parseEnvelope } from '../../../lib/callback/parse-envelope.ts';
import type { Result } from '../../../lib/core/result.ts';
import { formOf } from '../../support/http-api-event.ts';
import { payloads, type Round, type Timed } from './payloads.ts';

/** Does something with the body of a post. Throws if that is not what it is taken for. */
export type Step = (body: string) => unknown;

const good = <Value>(result: Result<Value, unknown>): Value => {
  if (result.ok) return result.value;
  throw new Error(`A payload is refused: ${JSON.stringify(result.problem)}`);
};

const book = accountIndex(good(parseAccounts(JSON.stringify([{ userName: 'demo', apiKeys: ['demo-key'] }]))));

const open = (body: string) => good(parseEnvelope({ content: { form: parse(body) }, query: {} }));

const check = (body: string) => {
  const { value, envelopeKeys } = open(body);
  const records = Array.isArray(value) ? value : [value];
  const recognised = classifyRecords(records);
  const account = good(
    verifySender(book, senderCredentials(records, recognised, { envelopeKeys, hasValidSecret: false })),
  );
  return { recognised, account };
};

const normalise = (body: string) => {
  const { recognised, account } = check(body);
  const { deliveries } = normaliseRecords(recognised, {
    account,
    receivedAt: '2026-11-20T06:00:00.000Z',
    redact: book.redact,
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
const steps: Readonly<Record<keyof Round, Step>> = {
  floor: (body) => JSON.parse(new URLSearchParams(body).get('data') ?? ''),
  least,
  form: (body) => parse(body),
  open,
  check,
  normalise,
};

/** One timing lasts so long, in milliseconds, that the grain of the clock does not count. */
const leastMs = 4;

/** Rounds for each repetition that was asked for, and those before, in which V8 still compiles. */
const roundsEach = 5;
const warmUpRounds = 20;

const microseconds = (step: Step, body: string, times: number): number => {
  const startedAt = performance.now();
  for (let time = 0; time < times; time++) step(body);
  return ((performance.now() - startedAt) / times) * 1_000;
};

const roundOf = (body: string, times: number): Round => ({
  floor: microseconds(steps.floor, body, times),
  least: microseconds(steps.least, body, times),
  form: microseconds(steps.form, body, times),
  open: microseconds(steps.open, body, times),
  check: microseconds(steps.check, body, times),
  normalise: microseconds(steps.normalise, body, times),
});

const repetitions = Number(process.argv[2]);
const timed = payloads.map(({ name, data }): Timed => {
  const body = formOf(data);
  const times = Math.max(1, Math.ceil((leastMs * 1_000) / microseconds(steps.floor, body, 200)));
  const rounds = Array.from({ length: warmUpRounds + roundsEach * repetitions }, () => roundOf(body, times));
  return { name, bytes: body.length, rounds: rounds.slice(warmUpRounds) };
});
process.stdout.write(JSON.stringify(timed));

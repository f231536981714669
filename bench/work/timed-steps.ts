import { hash } from 'node:crypto';
import { parse } from 'node:querystring';
import { accountIndex } from '../../lib/accounts/account-index.ts';
import { parseAccounts } from '../../lib/accounts/accounts.ts';
import { senderCredentials, verifySender } from '../../lib/callback/authenticate-sender.ts';
import { classifyRecords } from '../../lib/callback/classify-records.ts';
import { normaliseRecords } from '../../lib/callback/normalise-records.ts';
import { parseEnvelope } from '../../lib/callback/parse-envelope.ts';
import type { Result } from '../../lib/core/result.ts';
import { formOf } from '../../test/support/http-api-event.ts';
import { payloads, type Round, type Timed } from './payloads.ts';

/*
 * A program of its own, bundled as the functions are: prints the times of the payloads as JSON. Its argument is the number
 * of repetitions.
 */

/** One step of the work on a body. Throws if the body is not what the step expects. */
type Step = (body: string) => unknown;

const good = <Value>(result: Result<Value, unknown>): Value => {
  if (result.ok) return result.value;
  throw new Error(`A payload was rejected: ${JSON.stringify(result.problem)}`);
};

const book = accountIndex(
  good(parseAccounts(JSON.stringify([{ userName: 'demo', apiKeys: ['demo-key'], timeZone: 'Asia/Kolkata' }]))),
);

const open = (body: string) => good(parseEnvelope({ content: { form: parse(body) }, query: {} }));

const check = (body: string) => {
  const { records, envelopeKeys } = open(body);
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
  if (deliveries.length === 0) throw new Error('A payload holds no record');
  return deliveries;
};

/** Calls into Node alone: what an exact check of the key and a hash of the content need at least. */
const minimum = (body: string): readonly string[] => {
  const value: unknown = JSON.parse(String(parse(body)['data']));
  return [hash('sha256', 'demo-key'), hash('sha256', JSON.stringify(value))];
};

/**
 * The timed steps: the decoding that every receiver does; the minimum for ours; the form, by the parser of the function's
 * middleware; then also the JSON; then also the sender; and then also the normalised deliveries, which are ready to store.
 */
const steps: Readonly<Record<keyof Round, Step>> = {
  decode: (body) => JSON.parse(new URLSearchParams(body).get('data') ?? ''),
  minimum,
  form: (body) => parse(body),
  open,
  check,
  normalise,
};

/** One timing lasts so many milliseconds that the resolution of the clock does not matter. */
const timingMs = 4;

/** Rounds for each repetition, and rounds before them in which V8 still compiles. */
const roundsEach = 5;
const warmUpRounds = 20;

const microseconds = (step: Step, body: string, times: number): number => {
  const startedAt = performance.now();
  for (let time = 0; time < times; time++) step(body);
  return ((performance.now() - startedAt) / times) * 1_000;
};

const roundOf = (body: string, times: number): Round => ({
  decode: microseconds(steps.decode, body, times),
  minimum: microseconds(steps.minimum, body, times),
  form: microseconds(steps.form, body, times),
  open: microseconds(steps.open, body, times),
  check: microseconds(steps.check, body, times),
  normalise: microseconds(steps.normalise, body, times),
});

const repetitions = Number(process.argv[2]);
const timed = payloads.map(({ name, data }): Timed => {
  const body = formOf(data);
  const times = Math.max(1, Math.ceil((timingMs * 1_000) / microseconds(steps.decode, body, 200)));
  const rounds = Array.from({ length: warmUpRounds + roundsEach * repetitions }, () => roundOf(body, times));
  return { name, bytes: body.length, rounds: rounds.slice(warmUpRounds) };
});
process.stdout.write(JSON.stringify(timed));

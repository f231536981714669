import { hash } from 'node:crypto';
import { parse } from 'node:querystring';
import * as z from 'zod';
import { accountIndex, parseAccounts } from '../../lib/accounts/accounts.ts';
import { senderCredentials, verifySender } from '../../lib/callback/authenticate-sender.ts';
import { classifyRecords } from '../../lib/callback/classify-records.ts';
import { normaliseRecords } from '../../lib/callback/normalise-records.ts';
import { parseEnvelope } from '../../lib/callback/parse-envelope.ts';
import type { Result } from '../../lib/core/result.ts';
import { specificationSummary } from '../../test/fixtures/calls.ts';
import { formOf } from '../../test/support/http-api-event.ts';

export interface Payload {
  readonly name: string;
  readonly data: string;
}

const { monitorUCID, Apikey, UserName, Status, StartTime, Type } = specificationSummary;

const chained = {
  ...specificationSummary,
  AgentID: 'asha -> ravi -> meera',
  AgentName: 'Asha Rao -> Ravi Iyer -> Meera Nair',
  AgentStatus: 'answered -> answered -> not answered',
  AgentUniqueID: '5436 -> 5437 -> 5440',
  AudioFile: `${specificationSummary.AudioFile},${specificationSummary.AudioFile.replace('.mp3', '-2.mp3')}`,
  Comments: 'Wants a call back -> Asked for Meera -> ',
  CustomerStatus: 'answered -> answered',
  DialStatus: 'answered -> answered -> not answered',
  Disposition: 'Transferred -> Sale -> None',
  FallBackRule: 'AgentDial -> Voicemail',
  TransferType: 'Agent -> Agent',
  TransferredTo: ' -> Ravi Iyer -> Meera Nair',
};

const twenty = Array.from({ length: 20 }, (_, index) => ({
  ...specificationSummary,
  monitorUCID: String(41_781_234_567_890_123n + BigInt(index)),
}));

/** Large by one comment. */
const large = { ...specificationSummary, Comments: 'Asked again about the invoice. '.repeat(8_350) };

/** From a short missed call to a row that is nearly too large. */
export const payloads: readonly Payload[] = [
  ['small', { monitorUCID, Apikey, UserName, Status, StartTime, Type }],
  ['typical', specificationSummary],
  ['chained', chained],
  ['array of 20', twenty],
  ['256 KB', large],
].map(([name, value]) => ({ name: String(name), data: JSON.stringify(value) }));

export const stepNames = ['decode', 'minimum', 'form', 'open', 'check', 'normalise'] as const;

/** Microseconds of one callback up to each step, in one round. */
export const Round = z.record(z.enum(stepNames), z.number());
export type Round = z.output<typeof Round>;

export const Timed = z.object({ name: z.string(), bytes: z.int(), rounds: z.array(Round) });
export type Timed = z.output<typeof Timed>;

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

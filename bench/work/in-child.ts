import { formOf } from '../../test/support/http-api-event.ts';
import type { Round, Timed } from './measured.ts';
import { payloads } from './payloads.ts';
import { type Step, steps } from './steps.ts';

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

import { inspect, parseArgs } from 'node:util';
import { deployedReceivers } from './run-cases.ts';
import { type TriedAnswer, tryAnswer } from './try-answer.ts';
import { type Tried, tryGiven, tryRequest } from './try-request.ts';

const mostCharacters = 6_000;

const shortened = (text: string): string =>
  text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}… (${text.length} characters)`;

const shownValue = (value: unknown): string =>
  shortened(inspect(value, { depth: 8, maxStringLength: 2_000, breakLength: 120 }));

/** A request and what came of it, for a person to read. */
const shown = ({ request, trial, breaches }: Tried): string =>
  [
    `changes: ${request.marks.join(', ')}; deployment: ${request.deployment}`,
    `headers: ${JSON.stringify(request.posted.headers)}; query: ${shortened(request.posted.query)}`,
    `body: ${shortened(request.posted.body?.toString() ?? '(none)')}`,
    `answers: ${shownValue(trial.answers)}`,
    `calls: ${shownValue(trial.calls)}`,
    `quarantine: ${shownValue(trial.quarantine)}`,
    `${trial.cpuMicroseconds} µs of CPU time`,
    ...(breaches.length === 0 ? ['Nothing was broken.'] : breaches.map((breach) => `BROKEN: ${breach}`)),
    '',
  ].join('\n');

/** An answer of getAgentLogins and what came of it, for a person to read. */
const shownAnswer = ({ hostile, trial, outcome, breaches }: TriedAnswer): string =>
  [
    `changes: ${hostile.marks.join(', ')}; token: ${hostile.token}${hostile.isOfToken ? ', which is asked for again' : ''}`,
    `answer: ${shownValue(hostile.answer)}`,
    `what it was taken for: ${outcome}`,
    `rows before: ${shownValue(trial.rows[0])}`,
    `rows then: ${shownValue(trial.rows[1])}`,
    `rows after the good answer: ${shownValue(trial.rows[2])}`,
    `log: ${shortened(trial.lines.join(''))}`,
    ...(breaches.length === 0 ? ['Nothing was broken.'] : breaches.map((breach) => `BROKEN: ${breach}`)),
    '',
  ].join('\n');

/**
 * Cuts pieces out of a text as long as it still shows what it showed, halves first and single characters last. It gives
 * up on a text after so many tries: what is left is then just not the shortest.
 */
const shrunk = async (
  text: string,
  stillShows: (shorter: string) => Promise<boolean>,
  mostTries = 2_000,
): Promise<string> => {
  let shortest = text;
  let tries = 0;
  for (
    let length = Math.ceil(text.length / 2);
    length >= 1 && tries < mostTries;
    length = length === 1 ? 0 : Math.ceil(length / 2)
  ) {
    for (let at = 0; at < shortest.length && tries < mostTries; ) {
      const shorter = shortest.slice(0, at) + shortest.slice(at + length);
      tries += 1;
      if (await stillShows(shorter)) shortest = shorter;
      else at += length;
    }
  }
  return shortest;
};

const usage = `Tries one case of the hostile input again and shows what came of it.

Usage: node test/faults/fuzz/replay.ts SEED NUMBER [--answer] [--shrink]

  --answer  the number is that of an answer of getAgentLogins, not of a request
  --shrink  cuts the body down as long as the same is broken
`;

const receivers = deployedReceivers();

/** What is broken, without what differs from case to case. */
const kindsOf = ({ breaches }: Tried): ReadonlySet<string> => new Set(breaches.map((breach) => breach.slice(0, 20)));

const smaller = async (tried: Tried): Promise<Tried> => {
  const { request } = tried;
  const kinds = kindsOf(tried);
  const withBody = (body: string) => ({ ...request, posted: { ...request.posted, body: Buffer.from(body) } });
  const body = await shrunk(request.posted.body?.toString() ?? '', async (shorter) => {
    const again = await tryGiven(receivers, withBody(shorter));
    return [...kindsOf(again)].some((kind) => kinds.has(kind));
  });
  return tryGiven(receivers, withBody(body));
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { answer: { type: 'boolean', default: false }, shrink: { type: 'boolean', default: false } },
});
const [seed = Number.NaN, number = Number.NaN] = positionals.map(Number);

const replayed = async (): Promise<string> => {
  if (values.answer) return shownAnswer(await tryAnswer(seed, number));
  const tried = await tryRequest(receivers, seed, number);
  return shown(values.shrink && tried.breaches.length > 0 ? await smaller(tried) : tried);
};

if (Number.isInteger(seed) && Number.isInteger(number)) process.stdout.write(await replayed());
else {
  process.stderr.write(usage);
  process.exitCode = 2;
}

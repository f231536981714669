import { parseArgs } from 'node:util';
import { tryAnswer } from './answers/try-answer.ts';
import { type Tried, tryGiven, tryRequest } from './requests/try-request.ts';
import { deployedReceivers } from './run-cases.ts';
import { shown, shownAnswer } from './shown.ts';
import { shrunk } from './shrink.ts';

const usage = `Tries one case of the hostile input again and shows what came of it.

Usage: node torture/hostile/replay.ts SEED NUMBER [--answer] [--shrink]

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

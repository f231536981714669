import { telephonyHttp } from '../../../functions/adapters/telephony-http.ts';
import type { TelephonyService } from '../../../lib/ports.ts';
import type { Random } from '../../../sandbox/simulator/random.ts';
import { pollSecrets } from '../accounts.ts';
import { leaked } from '../checks/leaks.ts';
import { startLiar } from './liar.ts';
import { type Lie, lies, mostBytes } from './lies.ts';

/** How many lies were told, what came of them, and what should not have. */
export interface TriedLies {
  readonly told: number;
  readonly answered: number;
  readonly breaches: readonly string[];
}

/** Whom no answer comes from is not waited for; whose answer may come is given time, as the machine may be busy. */
const timeouts = { never: 500, maybe: 10_000 } as const;

/** One that waits for ever is caught all the same. */
const latestMs = 30_000;

const tooLate = Symbol('too late');

const orTooLate = async <Of>(work: Promise<Of>): Promise<Of | typeof tooLate> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<typeof tooLate>((resolve) => {
    timer = setTimeout(resolve, latestMs, tooLate);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
};

const headers = { apiKey: pollSecrets[0] ?? '', Authorization: `Bearer ${pollSecrets.at(-1)}` };

interface TriedLie {
  readonly isAnswered: boolean;
  readonly breaches: readonly string[];
}

const tryLie = async (
  serviceOf: (timeoutMs: number) => TelephonyService,
  url: string,
  { name, mayBeAnswered }: Lie,
): Promise<TriedLie> => {
  const service = serviceOf(timeouts[mayBeAnswered ? 'maybe' : 'never']);
  const about = (what: string) => ({ isAnswered: false, breaches: [`After “${name}” ${what}`] });
  try {
    const answer = await orTooLate(service.post({ url, headers, body: '{}' }));
    if (answer === tooLate) return about(`there was no end in ${latestMs / 1_000} s`);
    if (leaked(JSON.stringify(answer), pollSecrets).length > 0) return about('a secret was in the answer');
    if (!answer.ok) return { isAnswered: false, breaches: [] };
    if (Buffer.byteLength(answer.value.text) > mostBytes) return about('more was read than may be');
    return mayBeAnswered ? { isAnswered: true, breaches: [] } : about('an answer was made of it');
  } catch (error) {
    return about(`it threw ${String(error)}`);
  }
};

/** Has each lie told so many times, all of a round at once. */
export const tryLies = async (
  random: Random,
  rounds: number,
  serviceOf: (timeoutMs: number) => TelephonyService = (timeoutMs) => telephonyHttp({ timeoutMs, maxBytes: mostBytes }),
): Promise<TriedLies> => {
  const liar = await startLiar(random);
  const results: TriedLie[] = [];
  try {
    for (let round = 0; round < rounds; round++)
      results.push(...(await Promise.all(lies.map((lie, index) => tryLie(serviceOf, `${liar.url}/${index}`, lie)))));
  } finally {
    await liar.stop();
  }
  return {
    told: results.length,
    answered: results.filter(({ isAnswered }) => isAnswered).length,
    breaches: results.flatMap(({ breaches }) => breaches),
  };
};

import { fail, ok, type Result } from '../../lib/core/result.ts';

/** The seed of the figures in docs/reliability.md. */
export const defaultSeed = 20_261_121;

export const seedFrom = (text: string): Result<number, string> =>
  /^\d{1,9}$/.test(text) ? ok(Number(text)) : fail('--seed takes a whole number from 0 to 999999999.');

export const seedFlag = { type: 'string', default: String(defaultSeed) } as const;

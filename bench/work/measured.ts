import * as z from 'zod';

/** The steps that are timed. */
export const stepNames = ['floor', 'least', 'form', 'open', 'check', 'normalise'] as const;

/** Microseconds of one callback up to each step, in one round. */
export const Round = z.record(z.enum(stepNames), z.number());
export type Round = z.output<typeof Round>;

/** What was timed of one payload. */
export const Timed = z.object({ name: z.string(), bytes: z.int(), rounds: z.array(Round) });
export type Timed = z.output<typeof Timed>;

import * as z from 'zod/mini';
import { monitoringModes } from '../../lib/telemetry/metrics.ts';

/*
 * The environments of the functions are schemas of zod. What comes out of one are values, for the function; what goes in
 * are texts, for the stack that sets them: `z.input<typeof PollAgentsEnv>`.
 */

/** A text that matches a pattern. */
export const text = (pattern: RegExp, expected: string) => z.string(expected).check(z.regex(pattern, expected));

/** A whole number that matches a pattern. */
export const number = (pattern: RegExp, expected: string) => z.pipe(text(pattern, expected), z.transform(Number));

/** One of some words. */
export const oneOf = <const Word extends string>(words: readonly Word[]) => z.enum(words, words.join(' or '));

/** The name or ARN of an AWS resource. */
export const resourceName = text(/./, 'the name or ARN of a resource');

const queueAddress = 'the address of a queue';

/** The address of a queue. */
export const queueUrl = text(/^https?:\/\/\S+$/, queueAddress).check(
  z.refine((sent) => URL.canParse(sent), queueAddress),
);

/** For how many days rows are retained. */
export const retentionDays = (byDefault: number) =>
  z._default(number(/^[1-9]\d{0,4}$/, 'whole days from 1 to 99999'), byDefault);

/** The tables of calls and of quarantine, and for how many days each retains a row. */
export const StoreEnv = z.object({
  CALLS_TABLE: resourceName,
  QUARANTINE_TABLE: resourceName,
  CALL_RETENTION_DAYS: retentionDays(730),
  QUARANTINE_RETENTION_DAYS: retentionDays(30),
});
export type StoreEnv = z.output<typeof StoreEnv>;

/** The deployment that a function belongs to, a dimension of its metrics; and which metrics it emits. */
export const TelemetryEnv = z.object({
  DEPLOYMENT: z._default(text(/^.{1,250}$/s, 'a name of at most 250 characters'), 'callfeed'),
  METRICS: z._default(oneOf(monitoringModes), 'full'),
});
export type TelemetryEnv = z.output<typeof TelemetryEnv>;

/**
 * Reads the variables of a function from its environment. Throws an error that names each one that is missing or wrong,
 * and what is allowed there.
 */
export const readEnv = <Schema extends z.ZodMiniType>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<Schema> => {
  const { data, error } = schema.safeParse(environment);
  if (error === undefined) return data;
  const problems = error.issues.map(({ path, message }) => `${path.join('.')}: expected ${message}`);
  throw new Error(`The environment of the function is not usable. ${problems.join('; ')}`);
};

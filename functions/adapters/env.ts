import * as z from 'zod/mini';
import { defaultRetention } from '../../lib/storage/rows.ts';

/*
 * Each function's `environment.ts` is a schema of zod: values come out for the function, texts go in from the stack.
 * What several functions read is here, as functions, because every bundle has it all, and a start needs some.
 */

export const text = (pattern: RegExp, expected: string) => z.string(expected).check(z.regex(pattern, expected));

export const number = (pattern: RegExp, expected: string) => z.pipe(text(pattern, expected), z.transform(Number));

export const resourceName = text(/./, 'the name or ARN of a resource');

const queueAddress = 'the address of a queue';

export const queueUrl = text(/^https?:\/\/\S+$/, queueAddress).check(
  z.refine((sent) => URL.canParse(sent), queueAddress),
);

export const retentionDays = (byDefault: number) =>
  z._default(number(/^[1-9]\d{0,4}$/, 'whole days from 1 to 99999'), byDefault);

export const storeEnv = () =>
  z.object({
    CALLS_TABLE: resourceName,
    QUARANTINE_TABLE: resourceName,
    CALL_RETENTION_DAYS: retentionDays(defaultRetention.callDays),
    QUARANTINE_RETENTION_DAYS: retentionDays(defaultRetention.quarantineDays),
  });
export type StoreEnv = z.output<ReturnType<typeof storeEnv>>;

/** The deployment that a function belongs to, a dimension of its metrics. */
export const telemetryEnv = () =>
  z.object({
    DEPLOYMENT: z._default(text(/^.{1,250}$/s, 'a name of at most 250 characters'), 'callfeed'),
  });

/** The hashes of the callback secrets: the console shows the environment, so it must not hold the secrets. */
export const callbackSecretEnv = () =>
  z.object({
    CALLBACK_SECRET_SHA256: z.optional(
      text(/^[0-9a-f]{64}(,[0-9a-f]{64})*$/, 'SHA-256 hashes with commas between them'),
    ),
  });

export const accountsEnv = () =>
  z.object({
    /** The secret that lists the accounts; in the sandbox `CALLFEED_ACCOUNTS` carries the same JSON instead. */
    ACCOUNTS_SECRET_ARN: z.optional(resourceName),
    CALLFEED_ACCOUNTS: z.optional(text(/./, 'the JSON list of accounts')),
  });
export type AccountsEnv = z.output<ReturnType<typeof accountsEnv>>;

export type VariablesOf<Declared extends z.ZodMiniType> = z.input<Declared>;

/** Reads a function's variables. Throws an error that names each missing or wrong one, and what is allowed there. */
export const readEnv = <Values>(
  declared: Pick<z.ZodMiniType<Values>, 'safeParse'>,
  environment: Readonly<Record<string, string | undefined>>,
): Values => {
  const { data, error } = declared.safeParse(environment);
  if (error === undefined) return data;
  const problems = error.issues.map(({ path, message }) => `${path.join('.')}: expected ${message}`);
  throw new Error(`The environment of the function is not usable. ${problems.join('; ')}`);
};

import * as z from 'zod/mini';
import { keysOf } from '../../lib/core/collections.ts';

/*
 * Each function's `environment.ts` is a schema of zod: values come out for the function, texts go in from the stack.
 * What several functions read is here, as functions, because every bundle has it all, and a start needs some.
 */

export const textVariable = (pattern: RegExp, expected: string) => z.string(expected).check(z.regex(pattern, expected));

export const numberVariable = (pattern: RegExp, expected: string) =>
  z.pipe(textVariable(pattern, expected), z.transform(Number));

export const resourceName = textVariable(/./, 'the name or ARN of a resource');

const queueAddress = 'the address of a queue';

export const queueUrl = textVariable(/^https?:\/\/\S+$/, queueAddress).check(
  z.refine((sent) => URL.canParse(sent), queueAddress),
);

interface FunctionSetting {
  readonly unit: string;
  readonly from: number;
  readonly to: number;
  readonly byDefault: number;
  readonly readBy: readonly string[];
}

const storing = ['receive-callback', 'recover-callbacks'] as const;

/**
 * The settings of the stack that functions read, each declared here alone. The stack checks them and passes them on as
 * variables, `callRetentionDays` as `CALL_RETENTION_DAYS`. A rule reads that from `env`.
 */
export const functionSettings = {
  callRetentionDays: { unit: 'days', from: 1, to: 3650, byDefault: 730, readBy: [...storing, 'reconcile-calls'] },
  quarantineRetentionDays: { unit: 'days', from: 1, to: 3650, byDefault: 30, readBy: storing },
  /** How long snapshots of all agents are retained, and below the agents' timelines. */
  snapshotRetentionDays: { unit: 'days', from: 1, to: 365, byDefault: 7, readBy: ['poll-agents'] },
  intervalRetentionDays: { unit: 'days', from: 1, to: 3650, byDefault: 90, readBy: ['poll-agents'] },
  recordingMaxMegabytes: { unit: 'megabytes', from: 1, to: 5000, byDefault: 500, readBy: ['archive-recordings'] },
} as const satisfies Readonly<Record<string, FunctionSetting>>;

type Settings = typeof functionSettings;
type ReadBy<Reader> = {
  [Name in keyof Settings]: Reader extends Settings[Name]['readBy'][number] ? Name : never;
}[keyof Settings];

type VariableName<Setting extends string> = Setting extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? '' : '_'}${Uppercase<First>}${VariableName<Rest>}`
  : '';

export const variableName = (setting: string): string => setting.replaceAll(/[A-Z]/g, '_$&').toUpperCase();

export const settingsReadBy = (reader: string): readonly (keyof Settings)[] =>
  keysOf(functionSettings).filter((name) => functionSettings[name].readBy.some((one) => one === reader));

const settingVariable = ({ unit, from, to, byDefault }: FunctionSetting) => {
  const expected = `whole ${unit} from ${from} to ${to}`;
  const inBounds = z.refine((value) => Number(value) >= from && Number(value) <= to, expected);
  return z._default(numberVariable(/^\d{1,9}$/, expected).check(inBounds), byDefault);
};

export function settingVariables<Reader extends string>(
  reader: Reader,
): { readonly [Name in ReadBy<Reader> as VariableName<Name>]: ReturnType<typeof settingVariable> };
export function settingVariables(reader: string) {
  return Object.fromEntries(
    settingsReadBy(reader).map((name) => [variableName(name), settingVariable(functionSettings[name])]),
  );
}

export const storeEnv = () =>
  z.object({
    CALLS_TABLE: resourceName,
    QUARANTINE_TABLE: resourceName,
    ...settingVariables('recover-callbacks'),
  });
export type StoreEnv = z.output<ReturnType<typeof storeEnv>>;

/** The deployment that a function belongs to, a dimension of its metrics. */
export const telemetryEnv = () =>
  z.object({
    DEPLOYMENT: z._default(textVariable(/^.{1,250}$/s, 'a name of at most 250 characters'), 'callfeed'),
  });

/** The hashes of the callback secrets: the console shows the environment, so it must not hold the secrets. */
export const callbackSecretEnv = () =>
  z.object({
    CALLBACK_SECRET_SHA256: z.optional(
      textVariable(/^[0-9a-f]{64}(,[0-9a-f]{64})*$/, 'SHA-256 hashes with commas between them'),
    ),
  });

export const accountsEnv = () =>
  z.object({
    /** The secret that lists the accounts; in the sandbox `CALLFEED_ACCOUNTS` carries the same JSON instead. */
    ACCOUNTS_SECRET_ARN: z.optional(resourceName),
    CALLFEED_ACCOUNTS: z.optional(textVariable(/./, 'the JSON list of accounts')),
  });
export type AccountsEnv = z.output<ReturnType<typeof accountsEnv>>;

export type VariablesOf<Declared extends z.ZodMiniType> = z.input<Declared>;

export type EnvSchema<Values> = Pick<z.ZodMiniType<Values>, 'safeParse'>;

/** Reads a function's variables. Throws an error that names each missing or wrong one, and what is allowed there. */
export const readEnv = <Values>(
  declared: EnvSchema<Values>,
  environment: Readonly<Record<string, string | undefined>>,
): Values => {
  const { data, error } = declared.safeParse(environment);
  if (error === undefined) return data;
  const problems = error.issues.map(({ path, message }) => `${path.join('.')}: expected ${message}`);
  throw new Error(`The environment of the function is not usable. ${problems.join('; ')}`);
};

import { monitoringModes } from '../../lib/telemetry/metrics.ts';

/** A variable of a function's environment. */
export interface Variable<Value, Needed extends boolean = true> {
  /** What is allowed. */
  readonly expected: string;
  /** Whether the variable must be set. */
  readonly isNeeded: Needed;
  /** Its text if it is not set. */
  readonly byDefault?: string;
  /** The value of its text; undefined if the text is not allowed. */
  readonly read: (text: string) => Value | undefined;
}

const needed = <Value>(expected: string, read: Variable<Value>['read']): Variable<Value> => ({
  expected,
  isNeeded: true,
  read,
});

/** A text that matches a pattern. */
export const text = (pattern: RegExp, expected: string): Variable<string> =>
  needed(expected, (sent) => (pattern.test(sent) ? sent : undefined));

/** A whole number that matches a pattern. */
export const number = (pattern: RegExp, expected: string): Variable<number> =>
  needed(expected, (sent) => (pattern.test(sent) ? Number(sent) : undefined));

/** One of some words. */
export const oneOf = <Word extends string>(words: readonly Word[]): Variable<Word> =>
  needed(words.join(' or '), (sent) => words.find((word) => word === sent));

/** A variable that may be absent. */
export const optional = <Value>(variable: Variable<Value>): Variable<Value | undefined, false> => ({
  ...variable,
  isNeeded: false,
});

/** A variable that has a value where it is not set. */
export const withDefault = <Value>(variable: Variable<Value>, byDefault: string): Variable<Value, false> => ({
  ...variable,
  isNeeded: false,
  byDefault,
});

type Variables = Readonly<Record<string, Variable<unknown, boolean>>>;

/** The values of variables. */
export type ValuesOf<Declared extends Variables> = {
  readonly [Name in keyof Declared]: Declared[Name] extends Variable<infer Value, boolean> ? Value : never;
};

/** Variables as the stack sets them: texts. One that is optional or has a default may be absent. */
export type TextsOf<Declared extends Variables> = {
  readonly [Name in keyof Declared as Declared[Name]['isNeeded'] extends true ? Name : never]: string;
} & {
  readonly [Name in keyof Declared as Declared[Name]['isNeeded'] extends true ? never : Name]?: string | undefined;
};

/**
 * Reads the variables of a function from its environment. Throws an error that names each one that is missing or wrong,
 * and what is allowed there. Not with zod, which no function loads, as it takes 7 to 12 % of a cold start.
 */
export function readEnv<Declared extends Variables>(
  declared: Declared,
  environment: Readonly<Record<string, string | undefined>>,
): ValuesOf<Declared>;
export function readEnv(declared: Variables, environment: Readonly<Record<string, string | undefined>>) {
  const all = Object.entries(declared).map(([name, { expected, isNeeded, byDefault, read }]) => {
    const sent = environment[name] ?? byDefault;
    const value = sent === undefined ? undefined : read(sent);
    const isWrong = value === undefined && (isNeeded || sent !== undefined);
    return { name, value, problem: isWrong ? `${name}: expected ${expected}` : undefined };
  });
  const problems = all.flatMap(({ problem }) => problem ?? []);
  if (problems.length > 0) throw new Error(`The environment of the function is not usable. ${problems.join('; ')}`);
  return Object.fromEntries(all.map(({ name, value }) => [name, value]));
}

/** The name or ARN of an AWS resource. */
export const resourceName = text(/./, 'the name or ARN of a resource');

/** The address of a queue. */
export const queueUrl = needed('the address of a queue', (sent) =>
  /^https?:\/\/\S+$/.test(sent) && URL.canParse(sent) ? sent : undefined,
);

/** For how many days rows are retained. */
export const retentionDays = (byDefault: string) =>
  withDefault(number(/^[1-9]\d{0,4}$/, 'whole days from 1 to 99999'), byDefault);

/** The tables of calls and of quarantine, and for how many days each retains a row. */
export const StoreEnv = {
  CALLS_TABLE: resourceName,
  QUARANTINE_TABLE: resourceName,
  CALL_RETENTION_DAYS: retentionDays('730'),
  QUARANTINE_RETENTION_DAYS: retentionDays('30'),
};
export type StoreEnv = ValuesOf<typeof StoreEnv>;

/** The deployment that a function belongs to, a dimension of its metrics; and which metrics it emits. */
export const TelemetryEnv = {
  DEPLOYMENT: withDefault(text(/^.{1,250}$/s, 'a name of at most 250 characters'), 'callfeed'),
  METRICS: withDefault(oneOf(monitoringModes), 'full'),
};
export type TelemetryEnv = ValuesOf<typeof TelemetryEnv>;

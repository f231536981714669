import * as z from 'zod/mini';
import { defaultRetention, personalFields } from '../../lib/storage/rows.ts';

/*
 * The environments of the functions are schemas of zod. What comes out of one are values, for the function; what goes in
 * are texts, for the stack that sets them: `VariablesOf<typeof pollAgentsEnv>`. Each is a function, because a bundle has all
 * of them, and a start needs one: the others' schemas took 2 % of its processor time.
 */

const text = (pattern: RegExp, expected: string) => z.string(expected).check(z.regex(pattern, expected));

const number = (pattern: RegExp, expected: string) => z.pipe(text(pattern, expected), z.transform(Number));

const oneOf = <const Word extends string>(words: readonly Word[]) => z.enum(words, words.join(' or '));

const resourceName = text(/./, 'the name or ARN of a resource');

const queueAddress = 'the address of a queue';

const queueUrl = text(/^https?:\/\/\S+$/, queueAddress).check(z.refine((sent) => URL.canParse(sent), queueAddress));

const retentionDays = (byDefault: number) =>
  z._default(number(/^[1-9]\d{0,4}$/, 'whole days from 1 to 99999'), byDefault);

/** The tables of calls and of quarantine, and for how many days each retains a row. */
export const storeEnv = () =>
  z.object({
    CALLS_TABLE: resourceName,
    QUARANTINE_TABLE: resourceName,
    CALL_RETENTION_DAYS: retentionDays(defaultRetention.callDays),
    QUARANTINE_RETENTION_DAYS: retentionDays(defaultRetention.quarantineDays),
  });
export type StoreEnv = z.output<ReturnType<typeof storeEnv>>;

/** The deployment that a function belongs to, a dimension of its metrics. */
const telemetryEnv = () =>
  z.object({
    DEPLOYMENT: z._default(text(/^.{1,250}$/s, 'a name of at most 250 characters'), 'callfeed'),
  });

/** The hashes of the callback secrets: the console shows the environment, so it must not hold the secrets. */
const callbackSecretEnv = () =>
  z.object({
    CALLBACK_SECRET_SHA256: z.optional(
      text(/^[0-9a-f]{64}(,[0-9a-f]{64})*$/, 'SHA-256 hashes with commas between them'),
    ),
  });

const accountsEnv = () =>
  z.object({
    /** The secret that lists the accounts; in the sandbox `CALLFEED_ACCOUNTS` carries the same JSON instead. */
    ACCOUNTS_SECRET_ARN: z.optional(resourceName),
    CALLFEED_ACCOUNTS: z.optional(text(/./, 'the JSON list of accounts')),
  });
export type AccountsEnv = z.output<ReturnType<typeof accountsEnv>>;

export const receiveCallbackEnv = () =>
  z.object({
    ...storeEnv().shape,
    ...accountsEnv().shape,
    ...callbackSecretEnv().shape,
    ...telemetryEnv().shape,
    PARKING_QUEUE_URL: queueUrl,
  });
export type ReceiveCallbackEnv = z.output<ReturnType<typeof receiveCallbackEnv>>;

export const recoverCallbacksEnv = () => z.object({ ...storeEnv().shape, ...telemetryEnv().shape });
export type RecoverCallbacksEnv = z.output<ReturnType<typeof recoverCallbacksEnv>>;

export const publishChangesEnv = () =>
  z.object({
    ...telemetryEnv().shape,
    BUS_NAME: resourceName,
    /** Where the latest callback of each account is dated. */
    AGENTS_TABLE: resourceName,
    /** Whether events keep the fields that may identify a person. */
    PERSONAL_FIELDS: z._default(oneOf(personalFields), 'keep'),
  });
export type PublishChangesEnv = z.output<ReturnType<typeof publishChangesEnv>>;

export const pollAgentsEnv = () =>
  z.object({
    ...accountsEnv().shape,
    ...telemetryEnv().shape,
    AGENTS_TABLE: resourceName,
    /** For how many days snapshots of all agents are retained, and the agents' timelines. */
    SNAPSHOT_RETENTION_DAYS: retentionDays(defaultRetention.snapshotDays),
    INTERVAL_RETENTION_DAYS: retentionDays(defaultRetention.intervalDays),
  });
export type PollAgentsEnv = z.output<ReturnType<typeof pollAgentsEnv>>;

export const reconcileCallsEnv = () =>
  z.object({
    ...accountsEnv().shape,
    ...callbackSecretEnv().shape,
    ...telemetryEnv().shape,
    CALLS_TABLE: resourceName,
    AGENTS_TABLE: resourceName,
    CALL_RETENTION_DAYS: retentionDays(defaultRetention.callDays),
    RECONCILE_QUEUE_URL: queueUrl,
    /** The service posts a call seconds after its end, sometimes minutes. */
    SETTLE_SECONDS: z._default(number(/^\d{1,5}$/, 'whole seconds from 0 to 99999'), 900),
  });
export type ReconcileCallsEnv = z.output<ReturnType<typeof reconcileCallsEnv>>;

export const forwardDeliveriesEnv = () =>
  z.object({
    ...accountsEnv().shape,
    ...telemetryEnv().shape,
    CALLS_TABLE: resourceName,
    FORWARD_QUEUE_URL: queueUrl,
  });
export type ForwardDeliveriesEnv = z.output<ReturnType<typeof forwardDeliveriesEnv>>;

/** An address of this machine. The service AWS Lambda runs a function on a machine that has nothing else. */
const localAddress = text(/^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\]):\d{1,5}$/, 'an address of this machine');

export const archiveRecordingsEnv = () =>
  z
    .object({
      ...telemetryEnv().shape,
      CALLS_TABLE: resourceName,
      RECORDINGS_BUCKET: resourceName,
      RECORDINGS_QUEUE_URL: queueUrl,
      RECORDINGS_DEAD_LETTERS_URL: queueUrl,
      RECORDING_HOSTS: z.pipe(
        text(/^[a-z0-9.-]+(,[a-z0-9.-]+)*$/, 'names of hosts with commas between them'),
        z.transform((hosts: string) => hosts.split(',')),
      ),
      RECORDING_MAX_MEGABYTES: z._default(number(/^[1-9]\d{0,3}$/, 'whole megabytes from 1 to 9999'), 500),
      /** Where an emulator of AWS has the hosts of recordings. Without an emulator it is refused. */
      RECORDINGS_THROUGH: z.optional(localAddress),
      AWS_ENDPOINT_URL: z.optional(z.string()),
    })
    .check(
      z.refine(
        ({ RECORDINGS_THROUGH, AWS_ENDPOINT_URL }) =>
          RECORDINGS_THROUGH === undefined || AWS_ENDPOINT_URL !== undefined,
        { path: ['RECORDINGS_THROUGH'], message: 'nothing, as AWS is not emulated' },
      ),
    );
export type ArchiveRecordingsEnv = z.output<ReturnType<typeof archiveRecordingsEnv>>;

export const transformEventsEnv = () => z.object({ ...telemetryEnv().shape });

export type VariablesOf<Declared extends () => z.ZodMiniType> = z.input<ReturnType<Declared>>;

/**
 * Reads the variables of a function from its environment. Throws an error that names each one that is missing or wrong,
 * and what is allowed there.
 */
export const readEnv = <Values>(
  declared: () => Pick<z.ZodMiniType<Values>, 'safeParse'>,
  environment: Readonly<Record<string, string | undefined>>,
): Values => {
  const { data, error } = declared().safeParse(environment);
  if (error === undefined) return data;
  const problems = error.issues.map(({ path, message }) => `${path.join('.')}: expected ${message}`);
  throw new Error(`The environment of the function is not usable. ${problems.join('; ')}`);
};

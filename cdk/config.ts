import * as z from 'zod';
import { CallbackSecret, callbackSecretHash } from '../lib/callback/callback-secret.ts';
import { fail, ok, type Result } from '../lib/result.ts';

const text = (pattern: RegExp, error: string) => z.string({ error }).regex(pattern, { error });

/** `-c name=value` hands over text, `cdk.json` may hold a number: both are taken. */
const wholeNumber = (least: number, most: number, unit: string) => {
  const error = `must be a whole number of ${unit} from ${least} to ${most}`;

  return z
    .union([z.number(), text(/^\d+$/, error)], { error })
    .pipe(z.coerce.number())
    .refine((value) => Number.isInteger(value) && value >= least && value <= most, { error });
};

const Context = z
  .strictObject({
    stage: text(
      /^[a-z][a-z0-9-]{0,19}$/,
      'must be 1 to 20 lower-case letters, digits and hyphens, the first one a letter',
    ).default('prod'),
    callRetentionDays: wholeNumber(1, 3650, 'days').default(730),
    quarantineRetentionDays: wholeNumber(1, 3650, 'days').default(30),
    agentPolling: z.enum(['on', 'off'], { error: 'must be on or off' }).default('on'),
    snapshotRetentionDays: wholeNumber(1, 365, 'days').default(7),
    intervalRetentionDays: wholeNumber(1, 3650, 'days').default(90),
    callbackSecret: CallbackSecret.optional(),
    throttleRate: wholeNumber(1, 10_000, 'requests a second').default(500),
    throttleBurst: wholeNumber(1, 5_000, 'requests').default(1_000),
  })
  .transform(({ callbackSecret, ...settings }) => ({
    ...settings,
    ...(callbackSecret !== undefined && { callbackSecretSha256: callbackSecretHash(callbackSecret) }),
  }));

/** What may be chosen at deployment. The callback secret goes no further than this file; its hash stands for it. */
export type Settings = Readonly<z.output<typeof Context>>;

/** Names of settings are plain words; CDK's own context keys carry a colon, a slash or a hyphen. */
const isPlainWord = (name: string): boolean => /^\w+$/.test(name);

const sentenceOf = (issue: z.core.$ZodIssue): string =>
  issue.code === 'unrecognized_keys'
    ? `${issue.keys.join(', ')}: no such setting; there are ${Object.keys(Context.in.shape).join(', ')}.`
    : `${issue.path.join('.')} ${issue.message}.`;

/** The settings in a CDK context, defaults filled in; or a sentence for each wrong one, never with its value. */
export const settingsFrom = (context: Readonly<Record<string, unknown>>): Result<Settings, readonly string[]> => {
  const parsed = Context.safeParse(Object.fromEntries(Object.entries(context).filter(([name]) => isPlainWord(name))));
  if (!parsed.success) return fail(parsed.error.issues.map(sentenceOf));

  return ok(parsed.data);
};

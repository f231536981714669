import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { defaultTimeZone } from '../../lib/accounts/accounts.ts';
import { CallbackSecret } from '../../lib/callback/callback-secret.ts';
import { isTimeZone } from '../../lib/core/time-zone.ts';

/** Text of a pattern; the error is what follows the setting's name. */
const text = (pattern: RegExp, error: string) => z.string({ error }).regex(pattern, { error });

/** A number without a fraction. */
const wholeNumber = (least: number, most: number, unit: string) => {
  const error = `must be a whole number of ${unit} from ${least} to ${most}`;

  return z.int({ error }).min(least, { error }).max(most, { error });
};

/** One of some words. */
const oneOf = <const Word extends string>(...words: readonly Word[]) =>
  z.enum(words, { error: `must be ${words.join(' or ')}` });

/** A list without repeats. */
const listOf = <Item extends z.ZodType>(item: Item, error: string) =>
  z.array(item, { error }).refine((list) => new Set(list).size === list.length, { error });

/** The lengths that CloudWatch can keep a log for; "for ever" is none. */
const logRetentions = Object.values(RetentionDays).filter(
  (days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

/** How long CloudWatch keeps a log, in days. */
const logRetention = () => {
  const error = `must be one of the numbers of days that CloudWatch knows: ${logRetentions.join(', ')}`;

  return z.enum(RetentionDays, { error }).refine((days) => logRetentions.includes(days), { error });
};

const runbookError = 'must be an address that begins with https:// and has no #, as the section is added';
const timeZoneError = 'must be an IANA time zone such as Asia/Kolkata or Europe/London';
const accountsError = 'must be AWS account ids of 12 digits, each once, separated by commas';

/** What a deployment can do without, where CloudFormation does not know it: an emulator, a partition without it. */
const optionalParts = ['archive', 'schemas', 'queries', 'bus-policy'] as const;
const leaveOutError = `must be some of ${optionalParts.join(', ')}, each once, separated by commas`;

/** What may be chosen of a deployment, and what holds if nothing is. */
export const Settings = z.strictObject({
  callRetentionDays: wholeNumber(1, 3650, 'days').default(730),
  quarantineRetentionDays: wholeNumber(1, 3650, 'days').default(30),
  snapshotRetentionDays: wholeNumber(1, 365, 'days').default(7),
  intervalRetentionDays: wholeNumber(1, 3650, 'days').default(90),
  eventArchiveDays: wholeNumber(1, 3650, 'days').default(30),
  logRetentionDays: logRetention().default(RetentionDays.ONE_MONTH),
  agentPolling: oneOf('on', 'off').default('on'),
  /** Of accounts that name none. */
  timeZone: z.string({ error: timeZoneError }).refine(isTimeZone, { error: timeZoneError }).default(defaultTimeZone),
  callbackSecret: CallbackSecret.optional(),
  /** Is taken as well, while the service has not been given the new one. */
  formerCallbackSecret: CallbackSecret.optional(),
  throttleRate: wholeNumber(1, 10_000, 'requests a second').default(500),
  throttleBurst: wholeNumber(1, 5_000, 'requests').default(1_000),
  /** AWS accounts that may make rules of their own on the bus. */
  subscriberAccounts: listOf(text(/^\d{12}$/, accountsError), accountsError).default([]),
  personalFieldsInEvents: oneOf('keep', 'leave-out').default('keep'),
  /** Whether what holds data outlives the stack and refuses to be deleted. To take that away has to be said. */
  dataProtection: oneOf('on', 'off').default('on'),
  /** Whether X-Ray is told of every run of a function. */
  tracing: oneOf('on', 'off').default('on'),
  alarmEmail: z.email({ error: 'must be one e-mail address, such as ops@example.com' }).optional(),
  /** Where the runbook can be read, for the text of alarms. */
  runbookUrl: z
    .url({ protocol: /^https$/, error: runbookError })
    .refine((url) => !url.includes('#'), { error: runbookError })
    .optional(),
  leaveOut: listOf(z.enum(optionalParts, { error: leaveOutError }), leaveOutError).default([]),
});

/** The settings of a deployment, as they hold. */
export type Settings = Readonly<z.output<typeof Settings>>;

/** The settings as somebody chooses them: those that are left out have their defaults. */
export type ChosenSettings = Readonly<z.input<typeof Settings>>;

const arn = (service: string, resource: string, example: string) =>
  text(new RegExp(`^arn:aws[a-z-]*:${service}:[a-z0-9-]+:\\d{12}:${resource}$`), `must be an ARN such as ${example}`);

/** Of a key in one region, or in several. */
const keyId = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|mrk-[0-9a-f]{32}';

/** What may be chosen of a stack of its own: a construct in a customer's own app is handed objects instead. */
export const StageSettings = Settings.extend({
  /** Names the stack. */
  stage: text(
    /^[a-z][a-z0-9-]{0,19}$/,
    'must be 1 to 20 lower-case letters, digits and hyphens, the first one a letter',
  ).default('prod'),
  /** Of the CDK's bootstrap stack by which this one is deployed, where that is not the account's common one. */
  bootstrapQualifier: text(/^[A-Za-z0-9]{1,10}$/, 'must be 1 to 10 letters and digits').optional(),
  /** Encrypts whatever is kept, in place of the keys that AWS owns. */
  kmsKeyArn: arn('kms', `key/(${keyId})`, 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-…').optional(),
  /** Gets the alarms, in place of a topic of our own. */
  alarmTopicArn: arn('sns', '[A-Za-z0-9_-]+', 'arn:aws:sns:eu-west-1:111122223333:alarms').optional(),
}).refine(({ alarmEmail, alarmTopicArn }) => alarmEmail === undefined || alarmTopicArn === undefined, {
  error: 'must be left out where alarmTopicArn is given: who hears of that topic is set up there',
  path: ['alarmEmail'],
});

/** The settings of a stage, as they hold. */
export type StageSettings = Readonly<z.output<typeof StageSettings>>;

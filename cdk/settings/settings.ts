import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { defaultTimeZone } from '../../lib/account/account.ts';
import { CallbackSecret } from '../../lib/callback/callback-secret.ts';
import { isTimeZone } from '../../lib/time/time-zone.ts';
import { listOf, logRetention, oneOf, text, wholeNumber } from './kinds.ts';

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

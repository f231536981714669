import { RetentionDays } from 'aws-cdk-lib/aws-logs';
import * as z from 'zod';
import { functionSettings } from '../../functions/adapters/env.ts';
import { CallbackSecret } from '../../lib/accounts/callback-secret.ts';
import { mapValues } from '../../lib/core/collections.ts';
import { fail, ok, type Result } from '../../lib/core/result.ts';
import { alarmEmailExpected, personalFields, stageName } from '../../lib/storage/rows.ts';

/** Text that matches a pattern. `error` follows the setting's name in messages, here and below. */
const text = (pattern: RegExp, error: string) => z.string({ error }).regex(pattern, { error });

const wholeNumber = (least: number, most: number, unit: string) => {
  const error = `must be a whole number of ${unit} from ${least} to ${most}`;

  return z.int({ error }).min(least, { error }).max(most, { error });
};

const arn = (service: string, resource: string, example: string) =>
  text(new RegExp(`^arn:aws[a-z-]*:${service}:[a-z0-9-]+:\\d{12}:${resource}$`), `must be an ARN such as ${example}`);

const oneOf = <const Word extends string>(...words: readonly Word[]) =>
  z.enum(words, { error: `must be ${words.join(' or ')}` });

const distinct = <Item extends z.ZodType>(item: Item, error: string) =>
  z.array(item, { error }).refine((list) => new Set(list).size === list.length, { error });

const logRetentions = Object.values(RetentionDays).filter(
  (days): days is RetentionDays => typeof days === 'number' && days !== RetentionDays.INFINITE,
);

const retentionError = `must be a number of days that CloudWatch Logs supports: ${logRetentions.join(', ')}`;

const runbookError = 'must be an https:// address without #, because each alarm adds its section';
const accountsError = 'must be AWS account ids of 12 digits, each once, separated by commas';

const domainName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;

const hostsError = 'must be names of hosts in lower case, each once, separated by commas';
const domainError = 'must be a domain name in lower case, such as calls.example.com';
const certificateExample = 'arn:aws:acm:eu-west-1:111122223333:certificate/1234abcd-…';

const awsAccounts = () => distinct(text(/^\d{12}$/, accountsError), accountsError).default([]);

/** Parts that a deployment can omit, for an emulator or a partition of AWS that does not support them. */
const optionalParts = ['archive', 'schemas', 'queries', 'bus-policy'] as const;
const leaveOutError = `must be some of ${optionalParts.join(', ')}, each once, separated by commas`;

/** What Lambda allows for a queue: https://docs.aws.amazon.com/lambda/latest/api/API_ScalingConfig.html */
const runsAtOnce = [2, 1000] as const;

/** How many messages of a queue are processed at once by default. More might overload the hosts of others. */
const atOnce = { forwardingConcurrency: 10, recordingConcurrency: 5 };

/** The settings of a deployment, their defaults and what is allowed. docs/configuration.md says what each is for; a test compares it. */
export const Settings = z.strictObject({
  ...mapValues(functionSettings, ({ from, to, unit, byDefault }) => wholeNumber(from, to, unit).default(byDefault)),
  eventArchiveDays: wholeNumber(1, 3650, 'days').default(30),
  logRetentionDays: z
    .enum(RetentionDays, { error: retentionError })
    .refine((days) => logRetentions.includes(days), { error: retentionError })
    .default(RetentionDays.ONE_MONTH),
  agentPolling: oneOf('on', 'off').default('on'),
  reconciliation: oneOf('off', 'hourly', 'daily').default('off'),
  forwarding: oneOf('on', 'off').default('off'),
  forwardingConcurrency: wholeNumber(...runsAtOnce, 'deliveries at once').default(atOnce.forwardingConcurrency),
  recordings: oneOf('off', 'archive').default('off'),
  recordingHosts: distinct(text(domainName, hostsError), hostsError).default([]),
  recordingRetentionDays: wholeNumber(1, 3650, 'days').optional(),
  recordingConcurrency: wholeNumber(...runsAtOnce, 'calls at once').default(atOnce.recordingConcurrency),
  analytics: oneOf('on', 'off').default('off'),
  analyticsRetentionDays: wholeNumber(1, 3650, 'days').default(730),
  lakeFormation: oneOf('defaults', 'iam').default('defaults'),
  callbackSecret: z.optional(CallbackSecret),
  formerCallbackSecret: z.optional(CallbackSecret),
  throttleRate: wholeNumber(1, 10_000, 'requests a second').default(500),
  throttleBurst: wholeNumber(1, 5_000, 'requests').default(1_000),
  receiverConcurrency: wholeNumber(1, 10_000, 'concurrent runs').optional(),
  callbackDomain: text(domainName, domainError).optional(),
  callbackCertificateArn: arn('acm', 'certificate/[0-9a-f-]+', certificateExample).optional(),
  subscriberAccounts: awsAccounts(),
  readerAccounts: awsAccounts(),
  personalFieldsInEvents: oneOf(...personalFields).default(personalFields[0]),
  dataProtection: oneOf('on', 'off').default('on'),
  dashboard: oneOf('on', 'off').default('off'),
  tracing: oneOf('on', 'off').default('off'),
  alarmEmail: z.email({ error: alarmEmailExpected }).optional(),
  runbookUrl: z
    .url({ protocol: /^https$/, error: runbookError })
    .refine((url) => !url.includes('#'), { error: runbookError })
    .optional(),
  leaveOut: distinct(z.enum(optionalParts, { error: leaveOutError }), leaveOutError).default([]),
});

export type Settings = Readonly<z.output<typeof Settings>>;

export type ChosenSettings = Readonly<z.input<typeof Settings>>;

const keyId = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|mrk-[0-9a-f]{32}';

export const StageName = text(stageName.pattern, stageName.expected);

/** The settings of the stack that this repository deploys. A construct in a customer's app takes objects instead of ARNs. */
export const StageSettings = Settings.extend({
  stage: StageName.default('prod'),
  bootstrapQualifier: text(/^[A-Za-z0-9]{1,10}$/, 'must be 1 to 10 letters and digits').optional(),
  permissionsBoundary: text(/^[\w+=,.@-]{1,128}$/, 'must be the name of a managed policy of this account').optional(),
  kmsKeyArn: arn('kms', `key/(${keyId})`, 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-…').optional(),
  alarmTopicArn: arn('sns', '[A-Za-z0-9_-]+', 'arn:aws:sns:eu-west-1:111122223333:alarms').optional(),
}).refine(({ alarmEmail, alarmTopicArn }) => alarmEmail === undefined || alarmTopicArn === undefined, {
  error: 'must not be set with alarmTopicArn: subscribe the address to that topic',
  path: ['alarmEmail'],
});

export type StageSettings = Readonly<z.output<typeof StageSettings>>;

interface SuppliedResources {
  readonly alarmTopic?: unknown;
  readonly bus?: unknown;
}

/** The settings with their defaults; or a sentence for each invalid one, without its value. */
export const validSettings = <Valid extends Settings>(
  schema: z.ZodType<Valid>,
  names: readonly string[],
  input: Readonly<Record<string, unknown>>,
  supplied: SuppliedResources = {},
): Result<Valid, readonly string[]> => {
  const { data, error } = schema.safeParse(input);
  const problems = error ? errorMessages(error, names) : withoutEffect(data, supplied);
  return error || problems.length > 0 ? fail(problems) : ok(data);
};

const errorMessages = ({ issues }: z.core.$ZodError, names: readonly string[]): readonly string[] => [
  ...new Set(
    issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? unknownSettings(issue.keys, names)
        : `${String(issue.path[0])} ${issue.message}.`,
    ),
  ),
];

const unknownSettings = (unknown: readonly string[], names: readonly string[]): readonly string[] => {
  const never = unknown.filter((name) => !Object.hasOwn(formerSettings, name));
  return [
    ...Object.entries(formerSettings).flatMap(([name, text]) => (unknown.includes(name) ? `${name} ${text}.` : [])),
    ...(never.length > 0 ? [`${never.join(', ')}: unknown setting; the settings are ${names.join(', ')}.`] : []),
  ];
};

const formerSettings = {
  monitoring:
    'must be removed: every deployment has the same alarms now, and dashboard=on adds the dashboard of monitoring=full',
  timeZone: 'must be removed: it is a field of each account in the secret now',
};

/** A sentence for each setting that would have no effect with the other settings and the supplied resources. */
const withoutEffect = (settings: Settings, { alarmTopic, bus }: SuppliedResources): readonly string[] => {
  const { callbackSecret, formerCallbackSecret, callbackDomain, callbackCertificateArn, leaveOut } = settings;
  const { recordings, recordingHosts, recordingRetentionDays: recordingDays } = settings;
  const isChanged = (name: keyof typeof atOnce) => settings[name] !== atOnce[name];
  const withoutRecordings = (name: string, isSet: boolean) => ({
    [`${name} must not be set without recordings=archive.`]: recordings === 'off' && isSet,
  });
  const hasSubscribers = settings.subscriberAccounts.length > 0;
  const sentences: Readonly<Record<string, boolean>> = {
    'alarmEmail must not be set with alarmTopic: subscribe the address to that topic.':
      alarmTopic !== undefined && settings.alarmEmail !== undefined,
    'subscriberAccounts must not be set with bus: the owner of that bus writes its policy.':
      bus !== undefined && hasSubscribers,
    'formerCallbackSecret must not be set without callbackSecret, the new secret.':
      formerCallbackSecret !== undefined && callbackSecret === undefined,
    'callbackDomain must not be set without callbackCertificateArn, the certificate for it.':
      callbackDomain !== undefined && callbackCertificateArn === undefined,
    'callbackCertificateArn must not be set without callbackDomain, the name that it is for.':
      callbackCertificateArn !== undefined && callbackDomain === undefined,
    'subscriberAccounts must not be set when leaveOut has bus-policy, which would grant them access.':
      leaveOut.includes('bus-policy') && hasSubscribers,
    'recordingHosts must be set with recordings=archive: the hosts from which recordings may be fetched.':
      recordings === 'archive' && recordingHosts.length === 0,
    'forwardingConcurrency must not be set without forwarding=on.':
      settings.forwarding === 'off' && isChanged('forwardingConcurrency'),
    'lakeFormation must not be set without analytics=on, whose tables it is about.':
      settings.lakeFormation === 'iam' && settings.analytics === 'off',
    ...withoutRecordings('recordingHosts', recordingHosts.length > 0),
    ...withoutRecordings('recordingRetentionDays', recordingDays !== undefined),
    ...withoutRecordings('recordingConcurrency', isChanged('recordingConcurrency')),
    ...withoutRecordings(
      'recordingMaxMegabytes',
      settings.recordingMaxMegabytes !== functionSettings.recordingMaxMegabytes.byDefault,
    ),
    'recordingRetentionDays must not exceed callRetentionDays: without its call nobody finds a recording, to erase it.':
      recordingDays !== undefined && recordingDays > settings.callRetentionDays,
  };
  return Object.keys(sentences).filter((sentence) => sentences[sentence]);
};

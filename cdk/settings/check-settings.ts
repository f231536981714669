import type * as z from 'zod';
import { type ChosenSettings, Settings } from './settings.ts';

/** Checks the properties of the construct and adds the defaults. Throws at invalid settings and names all of them. */
export const checkSettings = (input: ChosenSettings, supplied: SuppliedResources): Settings => {
  const checked = Settings.safeParse(input);
  const errors = checked.success
    ? unusedSettings(checked.data, supplied)
    : errorMessages(checked.error, Object.keys(Settings.shape));
  if (!checked.success || errors.length > 0) throw new Error(`Invalid Callfeed settings: ${errors.join(' ')}`);

  return checked.data;
};

/** A sentence for each invalid setting, without its value. A list with several invalid items gets one sentence. */
export const errorMessages = ({ issues }: z.core.$ZodError, known: readonly string[]): readonly string[] => [
  ...new Set(
    issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? unknownSettings(issue.keys, known)
        : `${String(issue.path[0])} ${issue.message}.`,
    ),
  ),
];

const unknownSettings = (names: readonly string[], known: readonly string[]): readonly string[] => {
  const unknown = names.filter((name) => !Object.hasOwn(formerSettings, name));
  const former = Object.entries(formerSettings).flatMap(([name, text]) =>
    names.includes(name) ? [`${name} ${text}.`] : [],
  );
  return unknown.length === 0
    ? former
    : [...former, `${unknown.join(', ')}: unknown setting; the settings are ${known.join(', ')}.`];
};

/** What to do about a setting that earlier versions had. */
const formerSettings = {
  monitoring:
    'must be removed: every deployment has the same alarms now, and dashboard=on adds the dashboard of monitoring=full',
  timeZone: 'must be removed: it is a field of each account in the secret now',
};

export interface SuppliedResources {
  readonly alarmTopic?: unknown;
  readonly bus?: unknown;
}

/** A sentence for each setting that would have no effect with the other settings and the supplied resources. */
export const unusedSettings = (settings: Settings, { alarmTopic, bus }: SuppliedResources = {}): readonly string[] => {
  const { alarmEmail, callbackSecret, formerCallbackSecret, subscriberAccounts, leaveOut } = settings;
  const { callbackDomain, callbackCertificateArn } = settings;
  const { recordings, recordingHosts, recordingRetentionDays, recordingMaxMegabytes, callRetentionDays } = settings;
  const hasRecordings = recordings === 'archive';
  const rules: readonly (readonly [isUnused: boolean, message: string])[] = [
    [
      alarmTopic !== undefined && alarmEmail !== undefined,
      'alarmEmail must not be set with alarmTopic: subscribe the address to that topic.',
    ],
    [
      bus !== undefined && subscriberAccounts.length > 0,
      'subscriberAccounts must not be set with bus: the owner of that bus writes its policy.',
    ],
    [
      formerCallbackSecret !== undefined && callbackSecret === undefined,
      'formerCallbackSecret must not be set without callbackSecret, the new secret.',
    ],
    [
      callbackDomain !== undefined && callbackCertificateArn === undefined,
      'callbackDomain must not be set without callbackCertificateArn, the certificate for it.',
    ],
    [
      callbackCertificateArn !== undefined && callbackDomain === undefined,
      'callbackCertificateArn must not be set without callbackDomain, the name that it is for.',
    ],
    [
      leaveOut.includes('bus-policy') && subscriberAccounts.length > 0,
      'subscriberAccounts must not be set when leaveOut has bus-policy, which would grant them access.',
    ],
    [
      hasRecordings && recordingHosts.length === 0,
      'recordingHosts must be set with recordings=archive: the hosts from which recordings may be fetched.',
    ],
    [
      settings.lakeFormation === 'iam' && settings.analytics === 'off',
      'lakeFormation must not be set without analytics=on, whose tables it is about.',
    ],
    ...Object.entries({ recordingHosts: recordingHosts[0], recordingRetentionDays, recordingMaxMegabytes }).map(
      ([name, value]) =>
        [!hasRecordings && value !== undefined, `${name} must not be set without recordings=archive.`] as const,
    ),
    [
      recordingRetentionDays !== undefined && recordingRetentionDays > callRetentionDays,
      'recordingRetentionDays must not exceed callRetentionDays: without its call nobody finds a recording, to erase it.',
    ],
  ];

  return rules.filter(([isUnused]) => isUnused).map(([, message]) => message);
};

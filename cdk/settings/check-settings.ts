import type * as z from 'zod';
import { type ChosenSettings, Settings } from './settings.ts';

/** A sentence for each setting that is wrong, never with its value; once, though a list may have several wrong items. */
export const errorMessages = ({ issues }: z.core.$ZodError, known: readonly string[]): readonly string[] => [
  ...new Set(
    issues.map((issue) =>
      issue.code === 'unrecognized_keys'
        ? `${issue.keys.join(', ')}: no such setting; there are ${known.join(', ')}.`
        : `${String(issue.path[0])} ${issue.message}.`,
    ),
  ),
];

/** What a customer's own app brings along, if it does. */
export interface SuppliedResources {
  readonly alarmTopic?: unknown;
  readonly bus?: unknown;
}

/** A sentence for each setting that would do nothing, since what it is about is brought along or left out. */
export const unusedSettings = (settings: Settings, { alarmTopic, bus }: SuppliedResources = {}): readonly string[] => {
  const { alarmEmail, callbackSecret, formerCallbackSecret, subscriberAccounts, leaveOut } = settings;
  const rules: readonly (readonly [boolean, string])[] = [
    [
      alarmTopic !== undefined && alarmEmail !== undefined,
      'alarmEmail must be left out beside alarmTopic: who hears of that topic is set up there.',
    ],
    [
      bus !== undefined && subscriberAccounts.length > 0,
      'subscriberAccounts must be left out beside bus: its policy is its owner’s.',
    ],
    [
      formerCallbackSecret !== undefined && callbackSecret === undefined,
      'formerCallbackSecret must be left out without callbackSecret, beside which it is taken.',
    ],
    [
      leaveOut.includes('bus-policy') && subscriberAccounts.length > 0,
      'subscriberAccounts must be left out where leaveOut has bus-policy, which would let them in.',
    ],
  ];

  return rules.filter(([isIdle]) => isIdle).map(([, sentence]) => sentence);
};

/** The settings that somebody chose, with the defaults of the others; throws at wrong ones, all of them named. */
export const checkSettings = (chosen: ChosenSettings, brought: SuppliedResources): Settings => {
  const checked = Settings.safeParse(chosen);
  const wrong = checked.success
    ? unusedSettings(checked.data, brought)
    : errorMessages(checked.error, Object.keys(Settings.shape));
  if (!checked.success || wrong.length > 0) throw new Error(`Wrong settings of Callfeed: ${wrong.join(' ')}`);

  return checked.data;
};

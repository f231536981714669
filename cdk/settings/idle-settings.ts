import type { Settings } from './settings.ts';

/** What a customer's own app brings along, if it does. */
export interface Brought {
  readonly alarmTopic?: unknown;
  readonly bus?: unknown;
}

/** A sentence for each setting that would do nothing, since what it is about is brought along or left out. */
export const idleSettings = (settings: Settings, { alarmTopic, bus }: Brought = {}): readonly string[] => {
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

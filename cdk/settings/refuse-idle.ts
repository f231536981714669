import type { Settings } from './settings.ts';

/** What a customer's own app brings along, if it does. */
export interface Brought {
  readonly alarmTopic: unknown;
  readonly bus: unknown;
}

/** Throws at a setting that would do nothing, since what it is about is brought along. */
export const refuseIdle = ({ alarmEmail, subscriberAccounts }: Settings, { alarmTopic, bus }: Brought): void => {
  if (alarmTopic !== undefined && alarmEmail !== undefined)
    throw idle('alarmEmail must be left out beside alarmTopic: who hears of that topic is set up there.');
  if (bus !== undefined && subscriberAccounts.length > 0)
    throw idle('subscriberAccounts must be left out beside bus: its policy is its owner’s.');
};

const idle = (sentence: string): Error => new Error(`Wrong settings of Callfeed: ${sentence}`);

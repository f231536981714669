import type { CallfeedProps } from '../callfeed.ts';
import type { Settings } from './settings.ts';

/** Throws at a setting that would do nothing, since a customer's own app brings along what it is about. */
export const refuseIdle = (
  { alarmEmail, subscriberAccounts }: Settings,
  { alarmTopic, bus }: Pick<CallfeedProps, 'alarmTopic' | 'bus'>,
): void => {
  if (alarmTopic && alarmEmail !== undefined)
    throw new Error(
      'Wrong settings of Callfeed: alarmEmail must be left out beside alarmTopic: who hears of that topic is set up there.',
    );
  if (bus && subscriberAccounts.length > 0)
    throw new Error(
      'Wrong settings of Callfeed: subscriberAccounts must be left out beside bus: its policy is its owner’s.',
    );
};

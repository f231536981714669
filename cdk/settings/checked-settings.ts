import { type Brought, idleSettings } from './idle-settings.ts';
import { sentencesOf } from './sentences.ts';
import { type ChosenSettings, Settings } from './settings.ts';

/** The settings that somebody chose, with the defaults of the others; throws at wrong ones, all of them named. */
export const checkedSettings = (chosen: ChosenSettings, brought: Brought): Settings => {
  const checked = Settings.safeParse(chosen);
  const wrong = checked.success
    ? idleSettings(checked.data, brought)
    : sentencesOf(checked.error, Object.keys(Settings.shape));
  if (!checked.success || wrong.length > 0) throw new Error(`Wrong settings of Callfeed: ${wrong.join(' ')}`);

  return checked.data;
};

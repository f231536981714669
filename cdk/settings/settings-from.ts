import { fail, ok, type Result } from '../../lib/result.ts';
import { asTyped } from './as-typed.ts';
import { type Chosen, chosenIn } from './chosen-in.ts';
import { idleSettings } from './idle-settings.ts';
import { sentencesOf } from './sentences.ts';
import { StageSettings } from './stage-settings.ts';

const names = [...Object.keys(StageSettings.shape), 'stages', 'settingsFile'];

/** Names of settings are plain words; CDK's own context keys carry a colon, a slash or a hyphen. */
const isPlainWord = (name: string): boolean => /^\w+$/.test(name);

const lettersOf = (name: string): string => name.replaceAll(/\W/g, '').toLowerCase();

/** Keys that CDK would pass over, though they are settings in another spelling, such as `call-retention-days`. */
const misspelt = (context: Chosen): readonly string[] =>
  Object.keys(context).flatMap((key) => {
    const meant = names.find((name) => name !== key && lettersOf(name) === lettersOf(key));
    return meant === undefined ? [] : [`${key}: no such setting; it is spelt ${meant}.`];
  });

/** The settings in a CDK context, defaults filled in; or a sentence for each wrong one, never with its value. */
export const settingsFrom = (context: Chosen): Result<StageSettings, readonly string[]> => {
  const slips = misspelt(context);
  if (slips.length > 0) return fail(slips);

  const own = Object.fromEntries(Object.entries(context).filter(([name]) => isPlainWord(name)));
  const chosen = chosenIn(own);
  if (!chosen.ok) return chosen;

  const typed = Object.fromEntries(Object.entries(chosen.value).map(([name, value]) => [name, asTyped(name, value)]));
  const parsed = StageSettings.safeParse(typed);
  if (!parsed.success) return fail(sentencesOf(parsed.error, names));

  const idle = idleSettings(parsed.data);
  return idle.length === 0 ? ok(parsed.data) : fail(idle);
};

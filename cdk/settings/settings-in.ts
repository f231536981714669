import type { Result } from '../../lib/result.ts';
import type { Chosen } from './chosen-in.ts';
import { withSettingsFile } from './settings-file.ts';
import { settingsFrom } from './settings-from.ts';
import type { StageSettings } from './stage-settings.ts';

/** The settings in a CDK context and in the file of settings, or a sentence for each wrong one. */
export const settingsIn = (context: Chosen): Result<StageSettings, readonly string[]> => {
  const chosen = withSettingsFile(context);
  return chosen.ok ? settingsFrom(chosen.value) : chosen;
};

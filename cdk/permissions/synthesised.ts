import { App } from 'aws-cdk-lib';
import cdkJson from '../../cdk.json' with { type: 'json' };
import { ok, type Result } from '../../lib/result.ts';
import { CallfeedStack } from '../callfeed-stack.ts';
import { withSettingsFile } from '../settings/settings-file.ts';
import { settingsFrom } from '../settings/settings-from.ts';

/** The stack that `cdk deploy` would make of these settings, without its functions' code. */
export const synthesised = (
  context: Readonly<Record<string, string>>,
  outdir: string,
): Result<CallfeedStack, readonly string[]> => {
  const chosen = withSettingsFile({ ...cdkJson.context, ...context });
  const settings = chosen.ok ? settingsFrom(chosen.value) : chosen;
  if (!settings.ok) return settings;

  const app = new App({ outdir, context: { ...cdkJson.context, 'aws:cdk:bundling-stacks': [] } });
  return ok(new CallfeedStack(app, settings.value));
};

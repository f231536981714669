import { App } from 'aws-cdk-lib';
import cdkJson from '../cdk.json' with { type: 'json' };
import { ok, type Result } from '../lib/result.ts';
import { CallfeedStack } from './callfeed-stack.ts';
import { settingsIn } from './settings/settings-in.ts';

/** The stack that `cdk deploy` would make of these settings: without its functions' code, and not validated. */
export const synthesised = (
  context: Readonly<Record<string, string>>,
  outdir: string,
): Result<CallfeedStack, readonly string[]> => {
  const settings = settingsIn({ ...cdkJson.context, ...context });
  if (!settings.ok) return settings;

  const app = new App({
    outdir,
    builtinCloudFormationValidation: false,
    context: { ...cdkJson.context, 'aws:cdk:bundling-stacks': [] },
  });
  return ok(new CallfeedStack(app, settings.value));
};

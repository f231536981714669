import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import * as z from 'zod';
import { CallfeedStack } from '../../cdk/callfeed-stack.ts';
import { settingsFrom } from '../../cdk/settings/settings-from.ts';
import cdkJson from '../../cdk.json' with { type: 'json' };

const Template = z.object({
  Resources: z.record(
    z.string(),
    z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) }),
  ),
});

/** A resource of the stack. */
export type Resource = z.output<typeof Template>['Resources'][string];

/** The resources of the stack with its default settings. Functions are not bundled for it. */
export const synthesisedResources = (): readonly Resource[] => {
  const settings = settingsFrom(cdkJson.context);
  if (!settings.ok) throw new Error(settings.problem.join('\n'));

  const outdir = mkdtempSync(join(tmpdir(), 'callfeed-costs-'));
  try {
    const app = new App({
      outdir,
      builtinCloudFormationValidation: false,
      context: { ...cdkJson.context, 'aws:cdk:bundling-stacks': [] },
    });
    const { stackName } = new CallfeedStack(app, settings.value);
    const { template } = app.synth().getStackByName(stackName);
    return Object.values(Template.parse(template).Resources);
  } finally {
    // At once, so that no signal comes in between.
    rmSync(outdir, { recursive: true });
  }
};

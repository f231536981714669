import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Stack, Stage } from 'aws-cdk-lib';
import * as z from 'zod';
import { synthesised } from '../../cdk/synthesised.ts';

const Template = z.object({
  Resources: z.record(
    z.string(),
    z.object({ Type: z.string(), Properties: z.record(z.string(), z.unknown()).default({}) }),
  ),
});

/** A resource of the stack. */
export type Resource = z.output<typeof Template>['Resources'][string];

/** The resources of the stack with its default settings. */
export const synthesisedResources = (): readonly Resource[] => {
  const outdir = mkdtempSync(join(tmpdir(), 'callfeed-costs-'));
  try {
    const stack = synthesised({ settingsFile: '' }, outdir);
    if (!stack.ok) throw new Error(stack.problem.join('\n'));

    const { template } = synthesisOf(stack.value).getStackByName(stack.value.stackName);
    return Object.values(Template.parse(template).Resources);
  } finally {
    // At once, so that no signal comes in between.
    rmSync(outdir, { recursive: true });
  }
};

const synthesisOf = (stack: Stack) => {
  const app = Stage.of(stack);
  if (app === undefined) throw new Error(`${stack.node.path} belongs to no app`);
  return app.synth();
};

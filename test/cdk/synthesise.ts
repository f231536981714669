import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { afterAll } from 'vitest';
import { CallfeedStack } from '../../cdk/callfeed-stack.ts';
import { settingsFrom } from '../../cdk/config.ts';
import cdkJson from '../../cdk.json' with { type: 'json' };

/** What may differ from a synthesis without any settings and without bundles. */
export interface Synthesis {
  readonly context?: Readonly<Record<string, unknown>>;
  /** Bundling the functions and letting CDK judge the template takes seconds, so one file asks for it. */
  readonly bundled?: boolean;
}

/** The stack as `cdk synth` makes it, in a folder of its own that goes with the test file. */
export const synthesise = ({ context = {}, bundled = false }: Synthesis = {}) => {
  const outdir = mkdtempSync(join(tmpdir(), 'callfeed-synth-'));
  afterAll(() => rmSync(outdir, { recursive: true }));

  const settings = settingsFrom({ ...cdkJson.context, ...context });
  if (!settings.ok) throw new Error(settings.problem.join('\n'));

  const app = new App({
    outdir,
    builtinCloudFormationValidation: bundled,
    context: { ...cdkJson.context, ...(!bundled && { 'aws:cdk:bundling-stacks': [] }) },
  });
  const stack = new CallfeedStack(app, settings.value);

  return {
    outdir,
    stackName: stack.stackName,
    template: Template.fromStack(stack),
    warnings: Annotations.fromStack(stack).findWarning('*', Match.anyValue()),
  };
};

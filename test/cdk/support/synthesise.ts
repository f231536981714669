import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { afterAll } from 'vitest';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { type Context, stackIn } from './configurations.ts';

/** What an app does besides synthesising. Each takes seconds, so only one file uses it. */
export interface Thorough {
  readonly bundled?: boolean;
  /** Whether CDK checks the template against CloudFormation's schemas. */
  readonly validated?: boolean;
}

/** An app as `cdk synth` creates it, with its own output folder that is removed after the test file. */
export const appFor = ({ bundled = false, validated = false }: Thorough = {}) => {
  const outdir = mkdtempSync(join(tmpdir(), 'callfeed-synth-'));
  afterAll(() => rmSync(outdir, { recursive: true }));

  return new App({
    outdir,
    builtinCloudFormationValidation: validated,
    context: { ...cdkJson.context, ...(!bundled && { 'aws:cdk:bundling-stacks': [] }) },
  });
};

/** The stack as `cdk synth` makes it. */
export const synthesise = ({ context, ...thorough }: Thorough & { readonly context?: Context } = {}) => {
  const app = appFor(thorough);
  const stack = stackIn(app, context);

  return {
    stack,
    outdir: app.outdir,
    stackName: stack.stackName,
    template: Template.fromStack(stack),
    warnings: Annotations.fromStack(stack).findWarning('*', Match.anyValue()),
  };
};

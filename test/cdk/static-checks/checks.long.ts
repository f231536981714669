import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type App, Stack, Validations } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { describe, expect, it } from 'vitest';
import { configurations, stackIn } from '../support/configurations.ts';
import { appFor } from '../support/synthesise.ts';

/** A rule that is acknowledged for a construct and all below it, with the reason. */
interface Acknowledged {
  readonly path: string;
  readonly rule: string;
  readonly reason: string;
}

/** A violation: the resource and the rule. */
interface Finding {
  readonly path: string;
  readonly rule: string;
}

/** Every acknowledged rule in a tree, each once. */
const acknowledgedIn = (root: IConstruct): readonly Acknowledged[] => {
  const all = root.node.findAll().flatMap(({ node: { path, metadata } }) =>
    metadata
      .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
      .flatMap(({ data }) => Object.entries<string>(data))
      .map(([rule, reason]) => ({ path, rule: rule.replace(/^Annotation::/, ''), reason })),
  );

  return [...new Map(all.map((one) => [`${one.path} ${one.rule}`, one])).values()];
};

/** What cdk-nag would find in a tree if nothing were acknowledged. */
const findingsIn = (root: IConstruct): readonly Finding[] => {
  const checks = new AwsSolutionsChecks();
  // cdk-nag has no option for this. If it renames the method, there are no findings, and the tests fail.
  Object.assign(checks, { isAcknowledged: () => false });

  return checks
    .validateScope(root)
    .violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map(({ constructPath = '' }) => ({ path: constructPath, rule: ruleName })),
    );
};

/** Whether this acknowledgement covers a finding. */
const covers = ({ path, rule }: Acknowledged, finding: Finding): boolean =>
  finding.rule === rule && (finding.path === path || finding.path.startsWith(`${path}/`));

/** What the checks of `cdk/app.ts` find in an app, as `plugin: rule`. */
const violationsIn = (app: App): readonly string[] => {
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  try {
    app.synth();
  } catch (error) {
    if (Object(error).name !== 'ValidationFailed') throw error;
  } finally {
    // CDK makes the process fail, which here is the test run.
    process.exitCode = undefined;
  }

  const { pluginReports } = JSON.parse(readFileSync(join(app.outdir, 'validation-report.json'), 'utf8'));
  return pluginReports.flatMap(({ pluginName, violations }: Report) =>
    violations.map(({ ruleName }) => `${pluginName}: ${ruleName}`),
  );
};

interface Report {
  readonly pluginName: string;
  readonly violations: readonly { readonly ruleName: string }[];
}

describe.each(Object.entries(configurations))('with %s', (_name, context) => {
  const app = appFor({ validated: true });
  const stack = stackIn(app, context);
  const accepted = acknowledgedIn(app);
  const found = findingsIn(app);

  it('cdk-nag and CloudFormation’s schemas find no violation', () => {
    expect(violationsIn(app)).toEqual([]);
    expect(Annotations.fromStack(stack).findWarning('*', Match.anyValue())).toEqual([]);
    expect(Annotations.fromStack(stack).findError('*', Match.anyValue())).toEqual([]);
  });

  it.each(accepted)('$rule is acknowledged at $path with a reason', ({ reason }) => {
    expect(reason).toMatch(/^[A-Z][^\n]{30,}\.$/);
  });

  it.each(accepted)('$rule would be found at $path if it were not acknowledged there', (acknowledged) => {
    const finding = found.find((one) => covers(acknowledged, one));

    expect(finding).toBeDefined();
    expect(accepted.filter((other) => finding && covers(other, finding))).toEqual([acknowledged]);
  });
});

describe('the checks', () => {
  const app = appFor({ validated: true });

  it('find violations', () => {
    const stack = new Stack(app, 'Careless');
    new Bucket(stack, 'Open');
    new CfnBucket(stack, 'Malformed').addPropertyOverride('AccelerateConfiguration', { AccelerationStatus: 'Maybe' });

    expect(violationsIn(app)).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^AwsSolutions: AwsSolutions-S10$/),
        expect.stringMatching(/^CloudFormation Validate: /),
      ]),
    );
  });

  it('are the ones that the app runs', () => {
    expect(readFileSync('cdk/app.ts', 'utf8')).toContain(
      'deployStage((app) => Validations.of(app).addPlugins(new AwsSolutionsChecks(app)))',
    );
  });
});

import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type App, Stack, Validations } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { IConstruct } from 'constructs';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { configurations, stackIn } from '../support/configurations.ts';
import { appFor } from '../support/template.ts';
import { type Labelled, resolvedStatements, variants } from './deployed-arns.ts';

/** Findings that stay. One that is not found any more fails the test. */
const acknowledged: readonly (readonly [finding: RegExp, why: string])[] = [
  [
    /^E3006 .*'AWS::EventSchemas::(Registry|Schema)' does not exist/,
    'The schemas are left out where the region is known and has no registry. These templates are for any region.',
  ],
  [/^W3005 /, 'The CDK writes dependencies on a role beside its ARN. They do no harm.'],
  [
    /^RESOURCE_MISMATCH ResourcesNamed(AfterTheStack|ByTheirService) /,
    'The policy for deployments has all actions of a service on our names. What it lacks, the cross-check finds.',
  ],
  [
    /^RESOURCE_STAR WhatKnowsNoSingleResource \["cloudwatch:DescribeAlarms"\]$/,
    'AWS answers about composite alarms only on *, and handlers ask about both kinds.',
  ],
  [
    /^RESOURCE_STAR Callfeed(Calls|Agents)\w+ \["dynamodb:BatchGetItem","dynamodb:GetItem","dynamodb:Query"\]$/,
    'In the policy of a table, * is that table and its indexes.',
  ],
];

const folder = mkdtempSync(join(tmpdir(), 'callfeed-static-checks-'));

/** What a program prints. It exits with an error if it finds something; that it printed nothing then is one of ours. */
const run = (program: string, ...args: readonly string[]): Promise<string> =>
  promisify(execFile)(join(inject('pythonPrograms'), program), args, { maxBuffer: 2 ** 26 }).then(
    ({ stdout }) => stdout,
    (error) => {
      if (error.stderr !== '' || error.stdout === '') throw error;
      return error.stdout;
    },
  );

/** Writes each into a file of its own, and returns the files. */
const written = (documents: readonly unknown[]): readonly string[] => {
  const own = mkdtempSync(join(folder, 'documents-'));
  return documents.map((document, index) => {
    const file = join(own, `${index}.json`);
    writeFileSync(file, JSON.stringify(document));
    return file;
  });
};

/** What cfn-lint finds in any region, as `rule message`, each once. */
const lint = async (templates: readonly unknown[]): Promise<readonly string[]> => {
  const options = ['--regions', 'ALL_REGIONS', '--include-checks', 'I3510', '--format', 'json'];
  const found: readonly Linted[] = JSON.parse(await run('cfn-lint', ...options, '--template', ...written(templates)));

  return [...new Set(found.map(({ Rule, Message }) => `${Rule.Id} ${Message}`))];
};

interface Linted {
  readonly Rule: { readonly Id: string };
  readonly Message: string;
}

/** What parliament finds, as `issue label detail`. It stops at a policy's first mistake, so each statement is alone. */
const audit = async (all: readonly Labelled[]): Promise<readonly string[]> => {
  const statements = [...new Map(all.map((one) => [JSON.stringify(one), one])).values()];
  const files = written(statements.map(({ statement }) => ({ Version: '2012-10-17', Statement: [statement] })));
  const lines = (await run('parliament', '--directory', dirname(files[0] ?? folder), '--json')).split('\n');

  return lines.filter(Boolean).map((line) => {
    const { issue, detail, location } = JSON.parse(line);
    return `${issue} ${statements[files.indexOf(location.filepath)]?.label} ${JSON.stringify(detail)}`;
  });
};

const policies = ['cdk/deployment-policy.json', 'cdk/permissions-boundary.json'].map((file) =>
  JSON.parse(readFileSync(file, 'utf8')),
);
const managedPolicy = (document: unknown) => ({
  Resources: { Policy: { Type: 'AWS::IAM::ManagedPolicy', Properties: { PolicyDocument: document } } },
});

describe('cfn-lint, for every region, and parliament', () => {
  let found: readonly string[];
  beforeAll(async () => {
    const ofDeployment = policies.flatMap(({ Statement }) =>
      Statement.map((statement: { Sid: string }) => ({ label: statement.Sid, statement })),
    );
    const [linted, audited] = await Promise.all([
      lint([...variants.map(({ template }) => template.toJSON()), ...policies.map(managedPolicy)]),
      audit([...variants.flatMap(resolvedStatements), ...ofDeployment]),
    ]);
    found = [...linted, ...audited];
  });

  it('find nothing in the templates and policies that is not acknowledged', () => {
    expect(found.filter((one) => !acknowledged.some(([finding]) => finding.test(one)))).toEqual([]);
  });

  it.each(acknowledged)('find %s, which stays: %s', (finding) => {
    expect(found.filter((one) => finding.test(one))).not.toEqual([]);
  });
});

it('find mistakes', async () => {
  const allow = (action: string, resource: string) => ({ Effect: 'Allow', Action: action, Resource: resource });
  const typo = allow('s3:GetObjekt', '*');
  const foreign = allow('sqs:SendMessage', 'arn:aws:s3:::callfeed');
  const bus = allow('events:PutPermission', 'arn:aws:events:*:*:event-bus/callfeed*');
  const elsewhere = { Resources: { Discoverer: { Type: 'AWS::EventSchemas::Registry' } } };

  expect(await lint([elsewhere, managedPolicy({ Version: '2012-10-17', Statement: [typo, foreign] })])).toEqual(
    expect.arrayContaining([
      "E3006 Resource type 'AWS::EventSchemas::Registry' does not exist in 'mx-central-1'",
      expect.stringMatching(/^W3037 'getobjekt' is not one of/),
      expect.stringMatching(/^I3510 action 'sqs:SendMessage' requires a resource of/),
    ]),
  );
  const audited = await audit([
    { label: 'Typo', statement: typo },
    { label: 'Bus', statement: bus },
  ]);
  expect(audited.toSorted()).toEqual([
    expect.stringMatching(/^RESOURCE_MISMATCH Bus .*events:PutPermission/),
    expect.stringMatching(/^UNKNOWN_ACTION Typo .*s3:GetObjekt/),
  ]);
});

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

  it.each(accepted)('$rule is acknowledged at $path with a reason, and would be found there', (acknowledged) => {
    const finding = found.find((one) => covers(acknowledged, one));

    expect(acknowledged.reason).toMatch(/^[A-Z][^\n]{30,}\.$/);
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

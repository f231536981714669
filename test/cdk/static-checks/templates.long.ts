import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { arnsIn, iamTypesOf, type Resources } from './deployed-arns.ts';
import { variants } from './variants.ts';

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
  [
    /^RESOURCE_STAR (KeyOfYourOwn|GrantsForServices) /,
    'Only the key’s owner knows its ARN (docs/deploying.md, section 2).',
  ],
];

const folder = mkdtempSync(join(tmpdir(), 'callfeed-static-checks-'));
afterAll(() => rmSync(folder, { recursive: true }));

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

interface Labelled {
  readonly label: string;
  readonly statement: object;
}

/** Every statement of a template that names resources, wherever it is. */
const statementsIn = (label: string, value: unknown): readonly Labelled[] => {
  if (typeof value !== 'object' || value === null) return [];
  if ('Effect' in value && 'Resource' in value) return [{ label, statement: value }];

  return Object.values(value).flatMap((inner) => statementsIn(label, inner));
};

/** The same with ARNs instead of references. */
const resolvedStatements = async (stackName: string, resources: Resources): Promise<readonly Labelled[]> => {
  const arnsOf = arnsIn(stackName, resources);
  const arnOf = async (id: string, attribute: string): Promise<string> => {
    const type = resources[id]?.Type ?? id;
    const [main = '', , stream = ''] = iamTypesOf(type);
    const [arn = ''] = await arnsOf(id, attribute === 'StreamArn' ? stream : main);
    return type === 'AWS::Logs::LogGroup' ? `${arn}:*` : arn;
  };
  const resolve = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(resolve));
    if (typeof value !== 'object' || value === null) return value;
    const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': joined } = value as Intrinsic;
    if (Ref !== undefined) return pseudo[Ref] ?? arnOf(Ref, 'Arn');
    if (attribute !== undefined) return arnOf(...attribute);
    if (joined !== undefined) return (await Promise.all(joined[1].map(resolve))).join(joined[0]);
    const entries = Object.entries(value).map(async ([key, inner]) => [key, await resolve(inner)]);
    return Object.fromEntries(await Promise.all(entries));
  };
  const all = Object.entries(resources).flatMap(([id, { Properties }]) => statementsIn(id, Properties));

  return Promise.all(all.map(async ({ label, statement }) => ({ label, statement: Object(await resolve(statement)) })));
};

interface Intrinsic {
  readonly Ref?: string;
  readonly 'Fn::GetAtt'?: readonly [string, string];
  readonly 'Fn::Join'?: readonly [string, readonly unknown[]];
}

const pseudo: Readonly<Record<string, string>> = {
  'AWS::AccountId': '111122223333',
  'AWS::Partition': 'aws',
  'AWS::Region': 'eu-west-1',
};

const policy = JSON.parse(readFileSync('cdk/deployment-policy.json', 'utf8'));
const managedPolicy = (document: unknown) => ({
  Resources: { Policy: { Type: 'AWS::IAM::ManagedPolicy', Properties: { PolicyDocument: document } } },
});

describe('cfn-lint, for every region, and parliament', () => {
  let found: readonly string[];
  beforeAll(async () => {
    const statements = variants.map(({ stackName, template }) => resolvedStatements(stackName, template['Resources']));
    const ofDeployment = policy.Statement.map((statement: { Sid: string }) => ({ label: statement.Sid, statement }));
    const [linted, audited] = await Promise.all([
      lint([...variants.map(({ template }) => template), managedPolicy(policy)]),
      audit([...(await Promise.all(statements)).flat(), ...ofDeployment]),
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

import { readFile } from 'node:fs/promises';
import { Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { describe, expect, it } from 'vitest';
import { Callfeed } from '../../cdk/callfeed.ts';
import { CallfeedTables } from '../../cdk/tables.ts';
import { accessPatterns } from '../../docs/contract/access-patterns.ts';
import { deployed, type Environment, isAllowed } from './support/simulate.ts';
import { appFor, only, type Properties, someOf } from './support/template.ts';

const owner = { account: '111122223333', region: 'eu-west-1' };
/** Reads from another region, where its requests still go to the table's. */
const named = { account: '444455556666', region: 'us-east-1' };
const stranger = { account: '777788889999', region: 'eu-west-1' };

/** A role that gets permission to read. */
const readerRole = (stack: Stack) =>
  new Role(stack, 'Reader', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });

/** The SSM parameters of the owner's stack, by name. */
const parametersIn = (template: Template): Properties =>
  Object.fromEntries(
    someOf(template, 'AWS::SSM::Parameter').map(([, { Name, Value }]) => [Name, deployed(template, owner, Value)]),
  );

/** The role in a stack that may read, with its policy as it would be deployed. */
const readerIn = (template: Template, environment: Environment) => {
  const policies = someOf(template, 'AWS::IAM::Policy').filter(([id]) => id.startsWith('Reader'));

  return {
    principal: `arn:aws:iam::${environment.account}:role/reader`,
    identityPolicy: deployed(template, environment, policies[0]?.[1]['PolicyDocument']),
  };
};

/** A deployment whose tables another account may read, with everybody who tries to. That with a key has recordings too. */
const deployment = (isKeyed: boolean) => {
  const stack = new Stack(appFor(), 'Owner', { env: owner });
  const callfeed = new Callfeed(stack, 'Callfeed', {
    stage: 'prod',
    readerAccounts: [named.account],
    ...(isKeyed && {
      recordings: 'archive',
      recordingHosts: ['recordings.example.com'],
      encryptionKey: new Key(stack, 'OwnKey'),
    }),
  });
  const grantAll = (tables: CallfeedTables, role: Role) => {
    tables.grantRead(role);
    if (isKeyed) tables.grantReadRecordings(role);
  };
  grantAll(callfeed.tables, readerRole(stack));

  const template = Template.fromStack(stack);
  const inStack = (part: unknown) => deployed(template, owner, part);
  const parameters = parametersIn(template);
  const arns = {
    callsTableArn: parameters['/callfeed/prod/calls-table-arn'],
    agentsTableArn: parameters['/callfeed/prod/agents-table-arn'],
    ...(isKeyed && { keyArn: parameters['/callfeed/prod/key-arn'] }),
  };
  const elsewhere = (env: Environment, grant: (scope: Stack, role: Role) => unknown) => {
    const reading = new Stack(appFor(), 'Reading', { env });
    grant(reading, readerRole(reading));
    return readerIn(Template.fromStack(reading), { ...env, parameters });
  };
  const byArns = (scope: Stack, role: Role) => CallfeedTables.fromArns(scope, 'Tables', arns).grantRead(role);
  const policyOf = (table: string) =>
    inStack(only(template, 'AWS::DynamoDB::GlobalTable', table)['Replicas'][0].ResourcePolicy?.PolicyDocument);

  return {
    parameters,
    readers: {
      'a function of the same app': readerIn(template, owner),
      'a stack that knows only the stage': elsewhere(owner, (scope, role) =>
        grantAll(CallfeedTables.fromStage(scope, 'Tables', { stage: 'prod' }), role),
      ),
      'another account that readerAccounts names': elsewhere(named, byArns),
    },
    stranger: elsewhere(stranger, byArns),
    tables: { calls: policyOf('Calls'), agents: policyOf('Agents'), quarantine: policyOf('Quarantine') },
    arns: { calls: String(arns.callsTableArn), agents: String(arns.agentsTableArn) },
    key: {
      resource: String(arns.keyArn),
      resourcePolicy: isKeyed ? inStack(someOf(template, 'AWS::KMS::Key')[0]?.[1]['KeyPolicy']) : undefined,
    },
  };
};

const unkeyed = deployment(false);
const keyed = deployment(true);

const deniedActions = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'Scan', 'DescribeTable'];

/** Simulated by the rules of IAM, over the policies that the stacks deploy. The end-to-end test has the same on an emulator. */
describe.each([
  ['AWS’s own key', unkeyed],
  ['a key of the same app', keyed],
])('with %s', (_what, { readers, arns, tables, stranger: other }) => {
  describe.each(Object.entries(readers))('%s', (_who, reader) => {
    it.each(accessPatterns)('may ask: $question', async ({ table, request: { operation, input } }) => {
      const index = 'IndexName' in input ? `/index/${input.IndexName}` : '';
      const action = operation === 'query' ? 'dynamodb:Query' : 'dynamodb:GetItem';
      const request = { ...reader, action, resource: arns[table] + index, resourcePolicy: tables[table] };

      expect(await isAllowed(request)).toBe(true);
    });

    it.each(deniedActions)('may not do %s', async (name) => {
      for (const table of ['calls', 'agents'] as const) {
        const request = { ...reader, action: `dynamodb:${name}`, resource: arns[table], resourcePolicy: tables[table] };
        expect(await isAllowed(request), table).toBe(false);
      }
    });

    it('may not read the quarantine', async () => {
      const resource = arns.calls.replace('Calls', 'Quarantine');
      const request = { ...reader, action: 'dynamodb:GetItem', resource, resourcePolicy: tables.quarantine };

      expect(tables.quarantine).toBeUndefined();
      expect(await isAllowed(request)).toBe(false);
    });
  });

  it('an account that readerAccounts does not name may read nothing', async () => {
    const request = { ...other, action: 'dynamodb:Query', resource: arns.calls, resourcePolicy: tables.calls };

    expect(await isAllowed(request)).toBe(false);
  });
});

/** Whether a reader may use the key through a service, or by itself. */
const decrypts = (reader: ReturnType<typeof readerIn>, service?: string) => {
  const through = service !== undefined && { context: { 'kms:ViaService': `${service}.amazonaws.com` } };
  return isAllowed({ ...reader, ...keyed.key, action: 'kms:Decrypt', ...through });
};

it.each(Object.entries(keyed.readers))(
  '%s may use the key, through DynamoDB of its region only',
  async (_who, reader) => {
    expect(await decrypts(reader, 'dynamodb.eu-west-1')).toBe(true);
    for (const other of ['dynamodb.us-east-1', 'sqs.eu-west-1', undefined])
      expect(await decrypts(reader, other)).toBe(false);
  },
);

describe('recordings', () => {
  const bucketArn = String(keyed.parameters['/callfeed/prod/recordings-bucket-arn']);

  it.each(Object.entries(keyed.readers).slice(0, 2))('may be read, and nothing else, by %s', async (_who, reader) => {
    const may = (action: string, resource: string) => isAllowed({ ...reader, action, resource });

    expect(bucketArn).toContain('ArchiveRecordingsBucket');
    expect(await may('s3:GetObject', `${bucketArn}/demo/1`)).toBe(true);
    expect(await may('s3:PutObject', `${bucketArn}/demo/1`)).toBe(false);
    expect(await may('s3:DeleteObject', `${bucketArn}/demo/1`)).toBe(false);
    expect(await may('s3:ListBucket', bucketArn)).toBe(false);
    expect(await decrypts(reader, 's3.eu-west-1')).toBe(true);
  });

  it('cannot be read where none are archived', () => {
    const none = new Stack(appFor(), 'None');
    const { tables } = new Callfeed(none, 'Callfeed');

    expect(() => tables.grantReadRecordings(readerRole(none))).toThrow(/^None\/Callfeed\/Tables: there is no bucket/);
  });
});

describe('the parameters of a stage', () => {
  it('are the ones that the contract lists, and name no key where there is none', async () => {
    expect(unkeyed.parameters).toEqual({
      '/callfeed/prod/bus-arn': expect.stringMatching(/:event-bus\/CallfeedBus/),
      '/callfeed/prod/calls-table-arn': expect.stringMatching(/:table\/CallfeedCalls/),
      '/callfeed/prod/agents-table-arn': expect.stringMatching(/:table\/CallfeedAgents/),
      '/callfeed/prod/key-arn': 'arn:aws:kms:eu-west-1:111122223333:key/none',
      '/callfeed/prod/deployment': 'Owner-Callfeed',
    });
    expect(keyed.parameters['/callfeed/prod/key-arn']).toMatch(/:key\/OwnKey/);

    const listed = [
      ...(await readFile('docs/contract.md', 'utf8')).matchAll(/^\| `\/callfeed\/\{stage\}\/([a-z-]+)` \|/gm),
    ];
    // That of the bucket is there with recordings=archive only.
    const expected = [...Object.keys(unkeyed.parameters), '/callfeed/prod/recordings-bucket-arn'];
    expect(listed.map(([, name]) => `/callfeed/prod/${name}`).sort()).toEqual(expected.sort());
  });

  it('are not written by a construct without a stage', () => {
    const stack = new Stack(appFor(), 'Unnamed');
    new Callfeed(stack, 'Callfeed');

    expect(Template.fromStack(stack).findResources('AWS::SSM::Parameter')).toEqual({});
  });

  it('cannot be of an invalid stage', () => {
    const scope = new Stack(appFor(), 'Reader');

    expect(() => CallfeedTables.fromStage(scope, 'Tables', { stage: 'Prod' })).toThrow(
      /^stage must be 1 to 20 lower-case/,
    );
  });
});

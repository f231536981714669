import { fullDiff, ResourceImpact } from '@aws-cdk/cloudformation-diff';
import { describe, expect, it } from 'vitest';
import { parseSettings } from '../../cdk/settings/read-settings.ts';
import { StageSettings } from '../../cdk/settings/settings.ts';
import { configurations } from '../cdk/support/configurations.ts';
import { synthesise } from '../cdk/support/template.ts';
import { releases, type Template, templatesOf } from './releases.ts';

/**
 * Resources that hold data, or an address or name that others know, and of which AWS refuses a second one before the first is
 * gone: a stage of the same name, a mapping of the same queue. Never rename their constructs, whose ids fix the logical ids.
 */
const lasting = new Set([
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Stage',
  'AWS::DynamoDB::GlobalTable',
  'AWS::EventSchemas::Registry',
  'AWS::Events::Archive',
  'AWS::Events::EventBus',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Logs::LogGroup',
  'AWS::S3::Bucket',
  'AWS::SecretsManager::Secret',
  'AWS::SNS::Topic',
  'AWS::SQS::Queue',
  'AWS::SSM::Parameter',
]);

/** What an upgrade may do to a lasting resource. */
const harmless = [ResourceImpact.NO_CHANGE, ResourceImpact.WILL_CREATE, ResourceImpact.WILL_UPDATE];

/**
 * Permissions that an upgrade adds to a role, by the release that is upgraded, as the texts that they contain. CHANGELOG.md has
 * a line for each, as whoever upgrades has to agree.
 */
const agreedPermissions: Readonly<Record<string, readonly string[]>> = {
  // The receiver and the recovery may no longer update rows in quarantine. What is left of the statement counts as a new one.
  '0.1.0': ['ReceiveCallbackServiceRole02DEB0AD', 'RecoverCallbacksServiceRoleFF24449D'].map(
    (role) => `"AWS:\${Callfeed${role}}"],"not":false},"actions":{"values":["dynamodb:PutItem"],"not":false}`,
  ),
  // Firehose may run its function with the version $LATEST too.
  '1.0.0': [`"\${CallfeedAnalyticsServiceFunction14459AB4.Arn}:$LATEST"`],
};

/** Settings that are gone. A deployment with one of them ends with a sentence, and is upgraded without it. */
const withdrawn: Readonly<Record<string, string>> = {
  monitoring:
    'monitoring must be removed: every deployment has the same alarms now, and dashboard=on adds the dashboard of monitoring=full.',
};

/** The indexes of every table, by the table's id and the index's name. */
const indexesIn = ({ Resources }: Template): ReadonlyMap<string, unknown> =>
  new Map(
    Object.entries(Resources).flatMap(([id, { Type, Properties = {} }]) => {
      const indexes = Type === 'AWS::DynamoDB::GlobalTable' ? Properties['GlobalSecondaryIndexes'] : [];
      return ((indexes ?? []) as { readonly IndexName: string }[]).map((index) => [`${id} ${index.IndexName}`, index]);
    }),
  );

const indexProblems = (before: Template, after: Template): readonly string[] => {
  const old = indexesIn(before);
  const now = indexesIn(after);
  const changed = [...old].filter(([name, index]) => JSON.stringify(now.get(name)) !== JSON.stringify(index));
  const tables = [...now.keys()].filter((name) => !old.has(name)).map((name) => name.split(' ')[0]);
  return [
    ...changed.map(([name]) => `index changed or removed: ${name}`),
    // DynamoDB adds one index in an update of a table.
    ...(new Set(tables).size < tables.length ? [`two indexes added: ${tables}`] : []),
  ];
};

/** What whoever upgrades would lose, or grant without having seen it. */
const upgradeProblems = (before: Template, after: Template, agreed: readonly string[] = []): readonly string[] => {
  // The differ writes into what it compares.
  const { resources, iamChanges } = fullDiff(structuredClone({ ...before }), structuredClone({ ...after }));
  const lost = resources.logicalIds.filter((id) => {
    const { oldResourceType, changeImpact } = resources.get(id);
    return lasting.has(oldResourceType ?? '') && !harmless.includes(changeImpact);
  });
  const granted = [...iamChanges.statements.additions, ...iamChanges.managedPolicies.additions]
    .map((grant) => JSON.stringify(grant))
    .filter((grant) => !agreed.some((text) => grant.includes(text)));
  return [
    ...lost.map((id) => `lost: ${id}`),
    ...indexProblems(before, after),
    ...granted.map((grant) => `granted: ${grant}`),
  ];
};

describe.each(releases)('an upgrade from %s', (release) => {
  const { variants, settings } = templatesOf(release);

  it('knows every setting of the release', () => {
    expect([...Object.keys(StageSettings.shape), ...Object.keys(withdrawn)]).toEqual(
      expect.arrayContaining([...settings]),
    );
  });

  const gone = Object.entries(withdrawn).filter(([name]) => settings.includes(name));
  it.each(gone)('names the setting %s, which is gone', (name, sentence) => {
    const [given] = Object.values(variants).flatMap((variant) => variant.settings[name] ?? []);

    expect(given).toBeDefined();
    expect(parseSettings({ [name]: given })).toEqual({ ok: false, problem: [sentence] });
  });

  it.each(Object.entries(variants))('with %s loses nothing and grants nothing unseen', (_variant, recorded) => {
    const context = Object.fromEntries(Object.entries(recorded.settings).filter(([name]) => !(name in withdrawn)));
    expect(parseSettings(context)).toMatchObject({ ok: true });
    const { template } = synthesise({ context });

    expect(upgradeProblems(recorded.template, template.toJSON() as Template, agreedPermissions[release])).toEqual([]);
  });
});

it('the last release is recorded in every configuration', () => {
  expect(Object.keys(templatesOf(releases.at(-1) ?? '').variants)).toEqual(Object.keys(configurations));
});

describe('the checks find', () => {
  const before = templatesOf(releases.at(-1) ?? '').variants['everything']?.template as Template;
  const table = 'AWS::DynamoDB::GlobalTable';

  /** The id of the first resource of a type, and its properties, which a mistake changes. */
  const first = ({ Resources }: Template, type: string) => {
    const [found] = Object.entries(Resources).filter(([, { Type }]) => Type === type);
    // biome-ignore lint/suspicious/noExplicitAny: a template has any JSON.
    return found as unknown as readonly [id: string, { readonly Properties: any }];
  };

  it.each<readonly [string, (after: Template) => void, RegExp]>([
    [
      'a table with another logical id',
      (after) => {
        const [id, resource] = first(after, table);
        Object.assign(after.Resources, { Renamed: resource });
        Reflect.deleteProperty(after.Resources, id);
      },
      /^lost: CallfeedCalls/,
    ],
    [
      'a table with another key',
      (after) => Object.assign(first(after, table)[1].Properties.KeySchema[0], { AttributeName: 'id' }),
      /^lost: CallfeedCalls/,
    ],
    [
      'an index that is removed',
      (after) => first(after, table)[1].Properties.GlobalSecondaryIndexes.pop(),
      /^index changed or removed: CallfeedCalls\w+ by/,
    ],
    [
      'two indexes that are added to one table',
      (after) => first(after, table)[1].Properties.GlobalSecondaryIndexes.push({ IndexName: 'a' }, { IndexName: 'b' }),
      /^two indexes added/,
    ],
    [
      'a permission',
      (after) =>
        first(after, 'AWS::IAM::Policy')[1].Properties.PolicyDocument.Statement.push({
          Effect: 'Allow',
          Action: 's3:*',
          Resource: '*',
        }),
      /^granted: .*s3:\*/,
    ],
  ])('%s', (_mistake, make, problem) => {
    const after = structuredClone(before);
    make(after);

    expect(upgradeProblems(before, after)).toEqual(expect.arrayContaining([expect.stringMatching(problem)]));
  });
});

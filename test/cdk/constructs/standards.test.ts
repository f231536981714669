import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { synthesise } from '../support/synthesise.ts';
import { someOf } from '../support/template.ts';

/** Resource types with data, and how many there are. Ticks are no data, as they are worthless after a minute. */
const withData = [
  ['AWS::DynamoDB::GlobalTable', 3],
  ['AWS::SQS::Queue', 2],
  ['AWS::S3::Bucket', 1],
  ['AWS::SecretsManager::Secret', 1],
] as const;

const policiesOf = (template: Template, type: string) =>
  Object.entries(template.findResources(type))
    .filter(([id]) => !id.includes('Ticks'))
    .map(([, { DeletionPolicy, UpdateReplacePolicy }]) => [DeletionPolicy, UpdateReplacePolicy]);

const replicasOf = (template: Template) =>
  someOf(template, 'AWS::DynamoDB::GlobalTable').flatMap(([, { Replicas }]) => Replicas);

describe.each([
  ['test', { stage: 'test' }, true],
  ['prod with dataProtection=off', { dataProtection: 'off' }, false],
])('%s', (_stage, context, isProtected) => {
  const { template, stack } = synthesise({ context });

  it.each(withData)(`${isProtected ? 'keeps %s without' : 'deletes %s with'} the stack`, (type, count) => {
    const policy = isProtected ? 'Retain' : 'Delete';

    expect(policiesOf(template, type)).toEqual(Array(count).fill([policy, policy]));
  });

  it(`${isProtected ? 'protects' : 'does not protect'} its tables and its stack from deletion`, () => {
    for (const replica of replicasOf(template)) expect(replica.DeletionProtectionEnabled).toBe(isProtected);
    expect(stack.terminationProtection).toBe(isProtected);
  });

  it('has point-in-time recovery for its tables', () => {
    for (const replica of replicasOf(template))
      expect(replica.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
  });

  it.each([
    ['AWS::Events::EventBus', 'because the next deployment needs its name'],
    ['AWS::Events::Archive', 'because it can only replay to that bus'],
  ])('deletes %s with the stack, %s', (type) => {
    expect(policiesOf(template, type)).toEqual([['Delete', 'Delete']]);
  });

  it('deletes logs and ticks with the stack', () => {
    for (const [id, { DeletionPolicy }] of Object.entries({
      ...template.findResources('AWS::Logs::LogGroup'),
      ...template.findResources('AWS::SQS::Queue'),
    }))
      if (/Logs|AccessLog|Ticks/.test(id)) expect(DeletionPolicy).toBe('Delete');
  });
});

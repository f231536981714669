import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { synthesise } from '../support/synthesise.ts';
import { someOf } from '../support/template.ts';

/**
 * Resource types with data, how many there are, and their deletion policy. Ticks are no data, as they are worthless after a
 * minute. CloudFormation could not delete a protected table after a failed first deployment.
 */
const withData = [
  ['AWS::DynamoDB::GlobalTable', 3, 'Retain'],
  ['AWS::SQS::Queue', 2, 'RetainExceptOnCreate'],
  ['AWS::S3::Bucket', 1, 'RetainExceptOnCreate'],
  ['AWS::SecretsManager::Secret', 1, 'RetainExceptOnCreate'],
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

  it.each(withData)(`${isProtected ? 'keeps %s without' : 'deletes %s with'} the stack`, (type, count, deletion) => {
    const policies = isProtected ? [deletion, 'Retain'] : ['Delete', 'Delete'];

    expect(policiesOf(template, type)).toEqual(Array(count).fill(policies));
  });

  it(`${isProtected ? 'protects' : 'does not protect'} its tables and its stack from deletion`, () => {
    for (const replica of replicasOf(template)) expect(replica.DeletionProtectionEnabled).toBe(isProtected);
    expect(stack.terminationProtection).toBe(isProtected);
  });

  it('tags its tables, to which CloudFormation passes no tags of a stack', () => {
    const tags = Object.entries(stack.tags.tagValues()).map(([Key, Value]) => ({ Key, Value }));

    for (const replica of replicasOf(template)) expect(replica.Tags).toEqual(tags);
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

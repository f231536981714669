import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { synthesise } from '../support/synthesise.ts';
import { someOf } from '../support/template.ts';

/** What holds data. Ticks are none: they are worth nothing after a minute. */
const holders = [
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
  ['prod', {}, 'protected', true],
  ['test', { stage: 'test' }, 'protected', true],
  ['test with dataProtection=off', { stage: 'test', dataProtection: 'off' }, 'not protected', false],
  ['prod with dataProtection=off', { dataProtection: 'off' }, 'not protected', false],
])('%s', (_stage, context, _what, isProtected) => {
  const { template, stack } = synthesise({ context });

  it.each(holders)(`is ${_what}: what holds data goes with the stack, or not: %s`, (type, count) => {
    const policy = isProtected ? 'Retain' : 'Delete';

    expect(policiesOf(template, type)).toEqual(Array(count).fill([policy, policy]));
  });

  it(`has tables that are ${_what} from being deleted, and a stack likewise`, () => {
    for (const replica of replicasOf(template)) expect(replica.DeletionProtectionEnabled).toBe(isProtected);
    expect(stack.terminationProtection).toBe(isProtected);
  });

  it('can set tables back to any second', () => {
    for (const replica of replicasOf(template))
      expect(replica.PointInTimeRecoverySpecification).toEqual({ PointInTimeRecoveryEnabled: true });
  });

  it.each([
    ['AWS::Events::EventBus', 'as its name would stand in the way of the next one'],
    ['AWS::Events::Archive', 'as its events can be replayed to that bus only'],
  ])('takes %s away with the stack, %s', (type) => {
    expect(policiesOf(template, type)).toEqual([['Delete', 'Delete']]);
  });

  it('takes logs and ticks away with the stack', () => {
    for (const [id, { DeletionPolicy }] of Object.entries({
      ...template.findResources('AWS::Logs::LogGroup'),
      ...template.findResources('AWS::SQS::Queue'),
    }))
      if (/Logs|AccessLog|Ticks/.test(id)) expect(DeletionPolicy).toBe('Delete');
  });
});

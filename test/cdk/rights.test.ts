import { describe, expect, it } from 'vitest';
import { only, propertiesOf, someOf } from './resources.ts';
import { rightsIn } from './statements.ts';
import { synthesise } from './synthesise.ts';

const { template } = synthesise();

const storing = [
  'dynamodb:DeleteItem on Calls.Arn',
  'dynamodb:PutItem on Calls.Arn',
  'dynamodb:PutItem on Quarantine.Arn',
  'dynamodb:UpdateItem on Quarantine.Arn',
];

const telling = (name: string) => [
  `logs:CreateLogStream on ${name}ServiceLogs.Arn`,
  `logs:PutLogEvents on ${name}ServiceLogs.Arn`,
  'xray:PutTelemetryRecords on *',
  'xray:PutTraceSegments on *',
];

const serving = (queue: string) => [
  `sqs:DeleteMessage on ${queue}.Arn`,
  `sqs:GetQueueAttributes on ${queue}.Arn`,
  `sqs:ReceiveMessage on ${queue}.Arn`,
];

const streaming = (table: string) => [
  `dynamodb:DescribeStream on ${table}.StreamArn`,
  `dynamodb:GetRecords on ${table}.StreamArn`,
  `dynamodb:GetShardIterator on ${table}.StreamArn`,
];

const policyOf = (name: string) => only(template, 'AWS::IAM::Policy', name);

const rightsOf = (name: string) => rightsIn(policyOf(name)).toSorted();

describe('the rights of', () => {
  it.each([
    [
      'ReceiveCallback',
      [
        ...storing,
        ...telling('ReceiveCallback'),
        'secretsmanager:GetSecretValue on Accounts.Ref',
        'sqs:SendMessage on ParkingQueue.Arn',
      ],
    ],
    ['RecoverCallbacks', [...storing, ...telling('RecoverCallbacks'), ...serving('ParkingQueue')]],
    [
      'PublishChanges',
      [
        ...streaming('Calls'),
        ...streaming('Agents'),
        'dynamodb:ListStreams on *',
        'events:PutEvents on Bus.Arn',
        ...telling('PublishChanges'),
        's3:ListBucket on PublishChangesUnpublished.Arn',
        's3:PutObject on PublishChangesUnpublished.Arn/*',
      ],
    ],
    [
      'PollAgents',
      [
        'dynamodb:BatchWriteItem on Agents.Arn',
        'dynamodb:DeleteItem on Agents.Arn',
        'dynamodb:PutItem on Agents.Arn',
        'dynamodb:Query on Agents.Arn',
        ...telling('PollAgents'),
        'secretsmanager:GetSecretValue on Accounts.Ref',
        ...serving('PollAgentsTicks'),
      ],
    ],
  ])('%s are these and no others', (name, rights) => {
    expect(rightsOf(`${name}ServiceRole`)).toEqual(rights.toSorted());
  });

  it('the schedule are to send ticks, for nobody but this account', () => {
    expect(rightsOf('PollAgentsEveryMinuteRole')).toEqual(['sqs:SendMessage on PollAgentsTicks.Arn']);
    expect(only(template, 'AWS::IAM::Role', 'PollAgentsEveryMinuteRole')['AssumeRolePolicyDocument']).toMatchObject({
      Statement: [
        {
          Principal: { Service: 'scheduler.amazonaws.com' },
          Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
        },
      ],
    });
  });

  it('every role come from its own policy, not from one that AWS keeps for all', () => {
    for (const [, role] of someOf(template, 'AWS::IAM::Role')) {
      expect(role).not.toHaveProperty('ManagedPolicyArns');
      expect(role).not.toHaveProperty('Policies');
    }
    expect(Object.keys(propertiesOf(template, 'AWS::IAM::Policy'))).toHaveLength(5);
  });
});

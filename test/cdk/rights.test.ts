import { describe, expect, it } from 'vitest';
import { nameOf, only, propertiesOf } from './resources.ts';
import { synthesise } from './synthesise.ts';

const { template } = synthesise();

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

const storing = [
  'dynamodb:DeleteItem on Calls.Arn',
  'dynamodb:PutItem on Calls.Arn',
  'dynamodb:PutItem on Quarantine.Arn',
  'dynamodb:UpdateItem on Quarantine.Arn',
];

const logging = (name: string) => [
  `logs:CreateLogStream on ${name}ServiceLogs.Arn`,
  `logs:PutLogEvents on ${name}ServiceLogs.Arn`,
];

const streaming = (table: string) => [
  `dynamodb:DescribeStream on ${table}.StreamArn`,
  `dynamodb:GetRecords on ${table}.StreamArn`,
  `dynamodb:GetShardIterator on ${table}.StreamArn`,
];

const rightsOf = (role: string): readonly string[] => {
  const { PolicyDocument } = only(template, 'AWS::IAM::Policy', role);

  return PolicyDocument.Statement.flatMap(({ Effect, Action, Resource }: Statement) =>
    [Action]
      .flat()
      .flatMap((action) =>
        [Resource]
          .flat()
          .map((resource) => `${Effect === 'Allow' ? '' : `${Effect} `}${action} on ${nameOf(resource)}`),
      ),
  ).toSorted();
};

describe('the rights of', () => {
  it.each([
    [
      'ReceiveCallback',
      [
        ...storing,
        ...logging('ReceiveCallback'),
        'secretsmanager:GetSecretValue on Accounts.Ref',
        'sqs:SendMessage on ParkingQueue.Arn',
      ],
    ],
    [
      'RecoverCallbacks',
      [
        ...storing,
        ...logging('RecoverCallbacks'),
        'sqs:ChangeMessageVisibility on ParkingQueue.Arn',
        'sqs:DeleteMessage on ParkingQueue.Arn',
        'sqs:GetQueueAttributes on ParkingQueue.Arn',
        'sqs:GetQueueUrl on ParkingQueue.Arn',
        'sqs:ReceiveMessage on ParkingQueue.Arn',
      ],
    ],
    [
      'PublishChanges',
      [
        ...streaming('Calls'),
        ...streaming('Agents'),
        'dynamodb:ListStreams on *',
        'events:PutEvents on Bus.Arn',
        ...logging('PublishChanges'),
        'sqs:GetQueueAttributes on PublishChangesDeadLetters.Arn',
        'sqs:GetQueueUrl on PublishChangesDeadLetters.Arn',
        'sqs:SendMessage on PublishChangesDeadLetters.Arn',
      ],
    ],
    [
      'PollAgents',
      [
        'dynamodb:BatchWriteItem on Agents.Arn',
        'dynamodb:DeleteItem on Agents.Arn',
        'dynamodb:PutItem on Agents.Arn',
        'dynamodb:Query on Agents.Arn',
        ...logging('PollAgents'),
        'secretsmanager:GetSecretValue on Accounts.Ref',
        'sqs:ChangeMessageVisibility on PollAgentsTicks.Arn',
        'sqs:DeleteMessage on PollAgentsTicks.Arn',
        'sqs:GetQueueAttributes on PollAgentsTicks.Arn',
        'sqs:GetQueueUrl on PollAgentsTicks.Arn',
        'sqs:ReceiveMessage on PollAgentsTicks.Arn',
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
    for (const role of Object.values(propertiesOf(template, 'AWS::IAM::Role'))) {
      expect(role).not.toHaveProperty('ManagedPolicyArns');
      expect(role).not.toHaveProperty('Policies');
    }
    expect(Object.keys(propertiesOf(template, 'AWS::IAM::Policy'))).toHaveLength(5);
  });
});

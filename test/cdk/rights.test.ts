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

const rightsOf = (name: string): readonly string[] => {
  const { PolicyDocument } = only(template, 'AWS::IAM::Policy', `${name}ServiceRole`);

  return PolicyDocument.Statement.flatMap(({ Effect, Action, Resource }: Statement) =>
    [Action].flat().map((action) => `${Effect === 'Allow' ? '' : `${Effect} `}${action} on ${nameOf(Resource)}`),
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
        'dynamodb:DescribeStream on Calls.StreamArn',
        'dynamodb:GetRecords on Calls.StreamArn',
        'dynamodb:GetShardIterator on Calls.StreamArn',
        'dynamodb:ListStreams on *',
        'events:PutEvents on Bus.Arn',
        ...logging('PublishChanges'),
        'sqs:GetQueueAttributes on PublishChangesDeadLetters.Arn',
        'sqs:GetQueueUrl on PublishChangesDeadLetters.Arn',
        'sqs:SendMessage on PublishChangesDeadLetters.Arn',
      ],
    ],
  ])('%s are these and no others', (name, rights) => {
    expect(rightsOf(name)).toEqual(rights.toSorted());
  });

  it('every role come from its own policy, not from one that AWS keeps for all', () => {
    for (const role of Object.values(propertiesOf(template, 'AWS::IAM::Role'))) {
      expect(role).not.toHaveProperty('ManagedPolicyArns');
      expect(role).not.toHaveProperty('Policies');
    }
    expect(Object.keys(propertiesOf(template, 'AWS::IAM::Policy'))).toHaveLength(3);
  });
});

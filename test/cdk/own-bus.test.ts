import { describe, expect, it } from 'vitest';
import { nameOf, only, propertiesOf, someOf } from './resources.ts';
import { rightsIn } from './statements.ts';
import { synthesise } from './synthesise.ts';

const rule = 'arn:AWS::Partition.Ref:events:AWS::Region.Ref:AWS::AccountId.Ref:rule/Bus.Ref/*';

describe('the bus', () => {
  const { template } = synthesise({ context: { subscriberAccounts: '111122223333,444455556666' } });
  const overTls = only(template, 'AWS::Events::EventBusPolicy', 'BusOverTlsOnly');
  const subscribers = only(template, 'AWS::Events::EventBusPolicy', 'BusOwnRulesOfSubscribers');

  it('takes events over TLS only, from whomever', () => {
    expect(rightsIn(overTls)).toEqual(['Deny events:PutEvents on Bus.Arn']);
    expect(overTls['Statement']).toMatchObject({
      Principal: { AWS: '*' },
      Condition: { Bool: { 'aws:SecureTransport': 'false' } },
    });
  });

  it('lets subscribers manage rules on it, and put no events', () => {
    expect(rightsIn(subscribers).toSorted()).toEqual(
      [
        'events:PutRule',
        'events:DeleteRule',
        'events:DescribeRule',
        'events:EnableRule',
        'events:DisableRule',
        'events:PutTargets',
        'events:RemoveTargets',
        'events:ListTargetsByRule',
        'events:TagResource',
        'events:UntagResource',
        'events:ListTagsForResource',
      ]
        .map((action) => `${action} on ${rule}`)
        .toSorted(),
    );
  });

  it('lets each of them at its own rules only', () => {
    expect(subscribers['Statement'].Condition).toEqual({
      // biome-ignore lint/suspicious/noTemplateCurlyInString: a variable of IAM's.
      StringEqualsIfExists: { 'events:creatorAccount': '${aws:PrincipalAccount}' },
    });
    expect(subscribers['Statement'].Principal.AWS.map(nameOf)).toEqual([
      'arn:AWS::Partition.Ref:iam::111122223333:root',
      'arn:AWS::Partition.Ref:iam::444455556666:root',
    ]);
  });

  it('has no policy but these two, each of them of this bus and named as in its statement', () => {
    const policies = someOf(template, 'AWS::Events::EventBusPolicy').map(([, policy]) => policy);

    expect(policies).toHaveLength(2);
    for (const { EventBusName, StatementId, Statement } of policies) {
      expect(nameOf(EventBusName)).toBe('Bus.Ref');
      expect(StatementId).toBe(Statement.Sid);
    }
  });
});

describe('the bus of one account', () => {
  const { template } = synthesise();
  const { template: without } = synthesise({ context: { leaveOut: 'bus-policy' } });

  it('has no rule of somebody else’s', () => {
    expect(Object.keys(propertiesOf(template, 'AWS::Events::EventBusPolicy'))).toEqual([
      expect.stringMatching(/^CallfeedBusOverTlsOnly/),
    ]);
  });

  it('has no policy where CloudFormation knows none', () => {
    expect(propertiesOf(without, 'AWS::Events::EventBusPolicy')).toEqual({});
    expect(someOf(without, 'AWS::Events::EventBus')).toHaveLength(1);
  });
});

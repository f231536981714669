import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import type { Resources } from './deployed-arns.ts';
import { leftOut } from './handler-exceptions.ts';
import { expand, handlerPermissions, type Need, neededPermissions } from './needed-permissions.ts';
import { allows, type Policy } from './policy-access.ts';
import { variants } from './variants.ts';

const policy: Policy = JSON.parse(readFileSync('cdk/deployment-policy.json', 'utf8'));

const permissionsOf = handlerPermissions(join(inject('pythonPrograms'), 'python'));

let needs: readonly Need[];
beforeAll(async () => {
  const needsOf = variants.map(({ stackName, template }) =>
    neededPermissions(stackName, template['Resources'], permissionsOf),
  );
  needs = (await Promise.all(needsOf)).flat();
});

/** What a deployment needs and a policy does not allow, one line for an action and a type of resource. */
const findings = (candidate: Policy): readonly string[] => [
  ...new Set(
    needs.flatMap(({ action, resources, context, type, handlers }) => {
      const refused = resources.find((resource) => !allows(candidate, { action, resource, context }));
      if (refused === undefined) return [];

      const lacking = /^(arn:|\*$)/.test(refused) ? `needs Resource "${refused}"` : refused;
      return [`${action} ${lacking}: ${type} (${handlers.join(', ')})`];
    }),
  ),
];

const without = (action: string): Policy => {
  const Statement = policy.Statement.map((statement) => ({
    ...statement,
    Action: [statement.Action].flat().filter((one) => one !== action),
  }));
  expect(JSON.stringify(Statement).length).toBeLessThan(JSON.stringify(policy.Statement).length);

  return { Statement };
};

describe('the policy for deployments', () => {
  it('allows everything that the handlers of every resource need, each on a resource that it accepts', () => {
    expect(needs.length).toBeGreaterThan(1_000);
    expect(findings(policy)).toEqual([]);
  });

  it.each([
    [
      'events:PutPermission',
      [
        'events:PutPermission needs Resource "*": AWS::Events::EventBus (create, update)',
        'events:PutPermission needs Resource "*": AWS::Events::EventBusPolicy (create, update)',
      ],
    ],
    [
      'events:RemovePermission',
      [
        'events:RemovePermission needs Resource "*": AWS::Events::EventBus (delete)',
        'events:RemovePermission needs Resource "*": AWS::Events::EventBusPolicy (delete)',
      ],
    ],
    [
      'logs:DescribeIndexPolicies',
      ['logs:DescribeIndexPolicies needs Resource "*": AWS::Logs::LogGroup (create, read)'],
    ],
    [
      'application-autoscaling:Describe*',
      ['ScalableTargets', 'ScalingActivities', 'ScalingPolicies', 'ScheduledActions'].map(
        (what) =>
          `application-autoscaling:Describe${what} needs Resource "*": AWS::DynamoDB::GlobalTable (create, delete, read, update)`,
      ),
    ],
    [
      'iam:CreateServiceLinkedRole',
      [
        'iam:CreateServiceLinkedRole needs Resource "arn:aws:iam::111122223333:role/aws-service-role/ops.apigateway.amazonaws.com/AWSServiceRoleForAPIGateway": AWS::ApiGatewayV2::Api (besides its handlers)',
      ],
    ],
  ])('would be found lacking without %s', (action, expected) => {
    expect(findings(without(action))).toEqual(expected);
  });

  it('would be found lacking if it allowed the role of another service only', () => {
    const other = JSON.parse(JSON.stringify(policy).replaceAll('ops.apigateway', 'replication.dynamodb'));

    expect(findings(other)).toEqual([expect.stringContaining('iam:CreateServiceLinkedRole needs Resource')]);
  });

  it('fits into a managed policy, and reaches no role but the stack’s own', () => {
    expect(JSON.stringify(policy).length).toBeLessThanOrEqual(6_144);
    const onRoles = policy.Statement.filter(
      ({ Action, Resource }) => Resource !== '*' && [Action].flat().some((action) => action.startsWith('iam:')),
    );
    expect(onRoles.map(({ Resource }) => Resource)).toEqual([
      'arn:aws:iam::*:role/callfeed*',
      'arn:aws:iam::*:role/callfeed*',
      'arn:aws:iam::*:role/aws-service-role/ops.apigateway.amazonaws.com/*',
    ]);
  });
});

describe('what is left out is listed by handlers, and for nothing that the stack has', () => {
  const resources = variants.flatMap(({ template }) => Object.values<Resources[string]>(template['Resources']));

  for (const [type, actions, why, ...unless] of leftOut)
    it(`${type} ${actions}: ${why}`, async () => {
      const listed = await Promise.all(permissionsOf(type).map(([permission]) => expand(permission)));
      expect(listed.flat().filter((action) => actions.test(action))).not.toEqual([]);

      const properties = JSON.stringify(resources.filter(({ Type }) => Type === type));
      expect(unless.filter((property) => properties.includes(`"${property}":`))).toEqual([]);
    });
});

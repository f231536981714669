import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { allows, outside, type Policy, resolvedStatements, variants } from './deployed-arns.ts';
import { expand, handlerPermissions, leftOut, type Need, neededPermissions } from './needed-permissions.ts';

const shipped: Policy = JSON.parse(readFileSync('cdk/deployment-policy.json', 'utf8'));
/** The policy of somebody who uses a key: they put its ARN in. */
const policy: Policy = JSON.parse(
  JSON.stringify(shipped).replaceAll('arn:aws:kms:*:*:key/the-id-of-your-key', outside['kms/key']),
);
const boundary: Policy = JSON.parse(readFileSync('cdk/permissions-boundary.json', 'utf8'));

const permissionsOf = handlerPermissions(join(inject('pythonPrograms'), 'python'));

let needs: readonly Need[];
beforeAll(async () => {
  const needsOf = variants.map((variant) => neededPermissions(variant, permissionsOf));
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
      'arn:aws:iam::*:role/callfeed*',
      'arn:aws:iam::*:role/aws-service-role/ops.apigateway.amazonaws.com/*',
    ]);
  });
});

describe('whoever deploys with the policy', () => {
  const onRole = (action: string, context: Readonly<Record<string, string>> = {}) =>
    allows(policy, { action, resource: 'arn:aws:iam::111122223333:role/callfeed-prod-x', context });
  const bound = { 'iam:PermissionsBoundary': 'arn:aws:iam::111122223333:policy/callfeed-boundary' };

  it.each(['CreateRole', 'PutRolePolicy', 'PutRolePermissionsBoundary'])(
    'may do iam:%s only within the boundary',
    (name) => {
      const other = { 'iam:PermissionsBoundary': 'arn:aws:iam::aws:policy/AdministratorAccess' };
      expect([{}, other, bound].map((context) => onRole(`iam:${name}`, context))).toEqual([false, false, true]);
    },
  );

  it.each(['iam:DeleteRolePermissionsBoundary', 'iam:AttachRolePolicy', 'iam:CreatePolicyVersion'])(
    'may not do %s, which would undo the boundary',
    (action) => {
      expect(onRole(action, bound)).toBe(false);
    },
  );

  it.each(['Create', 'Delete', 'Get', 'Update'])('may %s event source mappings of no other function', (verb) => {
    const of = (name: string) => ({ 'lambda:FunctionArn': `arn:aws:lambda:eu-west-1:111122223333:function:${name}` });
    const may = (context: Readonly<Record<string, string>>) =>
      allows(policy, {
        action: `lambda:${verb}EventSourceMapping`,
        resource: verb === 'Create' ? '*' : 'arn:aws:lambda:eu-west-1:111122223333:event-source-mapping:1234',
        context,
      });

    expect([of('callfeed-prod-x'), of('payments'), {}].map(may)).toEqual([true, false, false]);
  });

  it('may use no key, unless somebody puts in the ARN of one', () => {
    const decrypts = (candidate: Policy) =>
      allows(candidate, { action: 'kms:Decrypt', resource: outside['kms/key'], context: {} });
    expect([shipped, policy].map(decrypts)).toEqual([false, true]);
  });
});

describe('the boundary', () => {
  /** Each action that a role may use in a deployment, with the resources and the contexts in which it may. */
  const usesIn = (variant: (typeof variants)[number]) => {
    const ofRoles = resolvedStatements(variant).filter(
      ({ label }) => variant.resources[label]?.Type === 'AWS::IAM::Policy',
    );
    return ofRoles.flatMap(({ statement }) => {
      const { Action, Resource, Condition } = statement as Policy['Statement'][number];
      const services = [Condition?.['StringEquals']?.['kms:ViaService'] ?? []].flat();
      const contexts = services.length > 0 ? services.map((service) => ({ 'kms:ViaService': service })) : [{}];
      return [Action]
        .flat()
        .flatMap((action) =>
          [Resource].flat().flatMap((resource) => contexts.map((context) => ({ action, resource, context }))),
        );
    });
  };

  it('allows a role everything that it may do, and no action besides', () => {
    const uses = variants.flatMap(usesIn);

    expect(uses.length).toBeGreaterThan(100);
    expect(uses.filter((use) => !allows(boundary, use))).toEqual([]);
    const actions = boundary.Statement.flatMap(({ Action }) => Action).sort();
    expect(actions).toEqual([...new Set(uses.map(({ action }) => action))].sort());
  });
});

describe('what is left out is listed by handlers, and for nothing that the stack has', () => {
  const all = variants.flatMap(({ resources }) => Object.values(resources));

  const rows = Object.entries(leftOut).flatMap(([type, ofType]) => ofType.map((one) => [type, ...one] as const));
  for (const [type, actions, why, ...unless] of rows)
    it(`${type} ${actions}: ${why}`, async () => {
      const listed = await Promise.all(permissionsOf(type).map(([permission]) => expand(permission)));
      expect(listed.flat().filter((action) => actions.test(action))).not.toEqual([]);

      const properties = JSON.stringify(all.filter(({ Type }) => Type === type));
      expect(unless.filter((property) => properties.includes(`"${property}":`))).toEqual([]);
    });
});

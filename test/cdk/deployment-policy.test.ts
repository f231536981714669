import { describe, expect, it } from 'vitest';
import policy from '../../cdk/deployment-policy.json' with { type: 'json' };
import { configurations, synthesise } from './support/synthesise.ts';

/** The prefix of a service's actions, where it differs from the service's name in CloudFormation. */
const prefixes: Readonly<Record<string, string>> = { ApiGatewayV2: 'apigateway', EventSchemas: 'schemas' };

const granted = new Set(
  policy.Statement.flatMap(({ Action }) => [Action].flat()).map((action) => action.split(':')[0]),
);

const neededBy = (types: readonly string[]): readonly string[] =>
  types.map((type) => type.split('::')[1] ?? '').map((service) => prefixes[service] ?? service.toLowerCase());

describe('the policy for deployments', () => {
  const templates = Object.entries(configurations).map(
    ([name, context]) => [name, synthesise({ context }).template] as const,
  );

  it.each(templates)('grants actions of every service in the stack with %s', (_name, template) => {
    const types = Object.values<{ Type: string }>(template.toJSON()['Resources']).map(({ Type }) => Type);

    expect(neededBy(types).filter((service) => !granted.has(service))).toEqual([]);
  });

  it('fits into a managed policy, and grants no access to other roles', () => {
    expect(JSON.stringify(policy).length).toBeLessThanOrEqual(6_144);
    const roles = policy.Statement.filter(({ Action }) => [Action].flat().some((action) => action.startsWith('iam:')));
    expect(roles.map(({ Resource }) => Resource)).toEqual(Array(2).fill('arn:aws:iam::*:role/callfeed*'));
  });
});

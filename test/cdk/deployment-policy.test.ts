import { describe, expect, it } from 'vitest';
import policy from '../../cdk/deployment-policy.json' with { type: 'json' };
import { configurations, synthesise } from './support/synthesise.ts';

/** By what its rights begin, where that is not the name of the service in CloudFormation. */
const prefixes: Readonly<Record<string, string>> = { ApiGatewayV2: 'apigateway', EventSchemas: 'schemas' };

const granted = new Set(
  policy.Statement.flatMap(({ Action }) => [Action].flat()).map((action) => action.split(':')[0]),
);

const neededBy = (types: readonly string[]): readonly string[] =>
  types.map((type) => type.split('::')[1] ?? '').map((service) => prefixes[service] ?? service.toLowerCase());

describe('the policy that deployments need', () => {
  const templates = Object.entries(configurations).map(
    ([name, context]) => [name, synthesise({ context }).template] as const,
  );

  it.each(templates)('has rights in every service of the stack with %s', (_name, template) => {
    const types = Object.values<{ Type: string }>(template.toJSON()['Resources']).map(({ Type }) => Type);

    expect(neededBy(types).filter((service) => !granted.has(service))).toEqual([]);
  });

  it('is small enough for a managed policy, and lets nobody change other roles', () => {
    expect(JSON.stringify(policy).length).toBeLessThanOrEqual(6_144);
    const roles = policy.Statement.filter(({ Action }) => [Action].flat().some((action) => action.startsWith('iam:')));
    expect(roles.map(({ Resource }) => Resource)).toEqual(Array(2).fill('arn:aws:iam::*:role/callfeed*'));
  });
});

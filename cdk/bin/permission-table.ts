import { CfnElement, type Stack } from 'aws-cdk-lib';
import { CfnPolicy, Role } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import * as z from 'zod';
import { explainedPermissions } from '../constructs/service-function.ts';

export interface GrantedPermission {
  readonly who: string;
  readonly action: string;
  readonly resource: string;
  /** Undefined if the statement has no recorded reason; a test checks that each has one. */
  readonly why: string | undefined;
}

export const permissionsIn = (stack: Stack): readonly GrantedPermission[] => {
  const readable = resourceNamesIn(stack);

  return stack.node
    .findAll()
    .filter((construct) => construct instanceof CfnPolicy)
    .flatMap((policy) => {
      const role = roleOf(policy);
      const explained = explainedPermissions(role);
      const { Statement } = stack.resolve(policy.policyDocument);
      return Statement.flatMap(({ Action, Resource }: { Action: string | string[]; Resource: unknown }) =>
        [Resource].flat().flatMap((each) =>
          [Action].flat().map((action): GrantedPermission => {
            const resource = readable(each);
            const match = explained.find((one) => readable(one.resource) === resource && one.actions.includes(action));
            return { who: roleOwner(role), action, resource, why: match?.why };
          }),
        ),
      );
    });
};

const roleOf = ({ node }: CfnPolicy): Role => {
  const role = node.scopes.find((scope) => scope instanceof Role);
  if (role === undefined) throw new Error(`${node.path} belongs to no role`);

  return role;
};

/** `ReceiveCallback` for `callfeed-prod/Callfeed/ReceiveCallback/Service/Role`. */
const roleOwner = (role: Role): string => pathInCallfeed(role).replace(/(\/Service)?\/Role$/, '');

/** The path of a construct within Callfeed: `Parking/Queue` for `callfeed-prod/Callfeed/Parking/Queue`. */
const pathInCallfeed = ({ node }: IConstruct): string => node.path.split('/').slice(2).join('/');

/** Returns a function that names a resource as in the source: `Calls` for its ARN, `Calls (StreamArn)` otherwise. */
const resourceNamesIn = (stack: Stack): ((value: unknown) => string) => {
  const elements = stack.node.findAll().filter((construct) => CfnElement.isCfnElement(construct));
  const names = new Map(
    elements.map((element) => [stack.getLogicalId(element), pathInCallfeed(element).replace(/\/Resource$/, '')]),
  );

  const readable = (value: unknown): string => {
    const resolved: unknown = stack.resolve(value);
    if (typeof resolved === 'string') return resolved;

    const joined = Join.safeParse(resolved).data?.['Fn::Join'];
    if (joined) return joined[1].map(readable).join(joined[0]);

    const [id, attribute] = Reference.parse(resolved);
    const name = names.get(id) ?? id;
    return attribute === 'Arn' || attribute === 'Ref' ? name : `${name} (${attribute})`;
  };
  return readable;
};

const Reference = z.union([
  z.strictObject({ Ref: z.string() }).transform(({ Ref }) => [Ref, 'Ref'] as const),
  z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }).transform((value) => value['Fn::GetAtt']),
]);
const Join = z.strictObject({ 'Fn::Join': z.tuple([z.string(), z.array(z.unknown())]) });

const heading: GrantedPermission = { who: 'function', action: 'action', resource: 'resource', why: 'why' };

export const permissionTable = (permissions: readonly GrantedPermission[]): readonly string[] => {
  const lines = [heading, ...permissions];
  const columns = (['who', 'action', 'resource'] as const).map((column) => ({
    column,
    width: Math.max(...lines.map((line) => line[column].length)),
  }));
  return lines.map((line) =>
    [...columns.map(({ column, width }) => line[column].padEnd(width)), line.why ?? ''].join('  ').trimEnd(),
  );
};

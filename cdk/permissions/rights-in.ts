import type { Stack } from 'aws-cdk-lib';
import { CfnPolicy, Role } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { explainedRights } from '../constructs/right.ts';
import { placeOf } from './place-of.ts';
import { readableIn } from './readable.ts';

/** A line of the table: who may do what, with which resource, and why. */
export interface GrantedRight {
  readonly who: string;
  readonly action: string;
  readonly resource: string;
  /** Missing where a statement has no explained right; a test sees to it that there is none. */
  readonly why: string | undefined;
}

interface Statement {
  readonly Action: string | readonly string[];
  readonly Resource: unknown;
}

const roleOf = (policy: IConstruct): Role => {
  const role = policy.node.scopes.find((scope) => scope instanceof Role);
  if (role === undefined) throw new Error(`${policy.node.path} belongs to no role`);

  return role;
};

/** `ReceiveCallback` for `callfeed-prod/Callfeed/ReceiveCallback/Service/Role`. */
const ownerOf = (role: Role): string => placeOf(role).replace(/(\/Service)?\/Role$/, '');

/** Every right that the policies of a stack grant, one for each action and resource. */
export const rightsIn = (stack: Stack): readonly GrantedRight[] => {
  const readable = readableIn(stack);

  return stack.node
    .findAll()
    .filter((construct) => construct instanceof CfnPolicy)
    .flatMap((policy) => {
      const role = roleOf(policy);
      const explained = explainedRights(role).map((right) => ({ ...right, resource: readable(right.resource) }));
      const { Statement } = stack.resolve(policy.policyDocument);
      return Statement.flatMap(({ Action, Resource }: Statement) =>
        [Resource].flat().flatMap((each) =>
          [Action].flat().map((action): GrantedRight => {
            const resource = readable(each);
            const right = explained.find((one) => one.resource === resource && one.actions.includes(action));
            return { who: ownerOf(role), action, resource, why: right?.why };
          }),
        ),
      );
    });
};

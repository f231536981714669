import { CfnElement, type Stack } from 'aws-cdk-lib';
import { Role } from 'aws-cdk-lib/aws-iam';
import type { IConstruct } from 'constructs';
import { explainedPermissions } from '../constructs/service-function.ts';

export interface GrantedPermission {
  readonly who: string;
  readonly action: string;
  readonly resource: string;
  readonly why: string;
}

/** What each role was granted with its reason. A test compares it with the policies of the template. */
export const permissionsIn = (stack: Stack): readonly GrantedPermission[] => {
  const constructs = stack.node.findAll();
  const elements = constructs.filter((construct) => CfnElement.isCfnElement(construct));
  const paths = new Map(
    elements.map((one) => [stack.getLogicalId(one), pathInCallfeed(one).replace(/\/Resource$/, '')]),
  );

  /** As in the source: `Calls` for its ARN, `Calls (StreamArn)` for another attribute. */
  const nameOf = (value: unknown): string => {
    const resolved = stack.resolve(value);
    if (typeof resolved === 'string') return resolved;
    const { Ref, 'Fn::Join': joined, 'Fn::GetAtt': attributeOf } = resolved;
    if (joined) return joined[1].map(nameOf).join(joined[0]);
    if (Ref) return paths.get(Ref) ?? Ref;
    const [id, attribute] = attributeOf;
    const name = paths.get(id) ?? id;
    return attribute === 'Arn' ? name : `${name} (${attribute})`;
  };

  return constructs
    .filter((construct) => construct instanceof Role)
    .flatMap((role) => {
      // `ReceiveCallback` for `callfeed-prod/Callfeed/ReceiveCallback/Service/Role`.
      const who = pathInCallfeed(role).replace(/(\/Service)?\/Role$/, '');
      return explainedPermissions(role).flatMap(({ actions, resource, why }) =>
        actions.map((action) => ({ who, action, resource: nameOf(resource), why })),
      );
    });
};

/** `Parking/Queue` for `callfeed-prod/Callfeed/Parking/Queue`. */
const pathInCallfeed = ({ node }: IConstruct): string => node.path.split('/').slice(2).join('/');

export const permissionTable = (permissions: readonly GrantedPermission[]): readonly string[] => {
  const lines = [{ who: 'function', action: 'action', resource: 'resource', why: 'why' }, ...permissions];
  const columns = (['who', 'action', 'resource'] as const).map((column) => {
    const width = Math.max(...lines.map((line) => line[column].length));
    return (line: GrantedPermission) => line[column].padEnd(width);
  });
  return lines.map((line) => [...columns.map((cell) => cell(line)), line.why].join('  '));
};

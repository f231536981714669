import { idsNamedIn, madeBefore, type Resource, type Resources, resourcesOf } from '../support/resources.ts';
import { plain } from '../support/template.ts';
import { type Findings, findingsAt, type StackRule, type Synthesised } from './rule.ts';

/*
 * CloudFormation makes resources side by side, and knows only the orders that the template names: a reference, or DependsOn.
 */

const ofType = (resources: Resources, type: RegExp): readonly (readonly [string, Resource])[] =>
  Object.entries(resources).filter(([, { Type }]) => type.test(Type));

/**
 * What uses a role would begin without its permissions: Firehose tries the role and refuses the stream, a rule or a schedule sends in
 * vain. A policy that names the user itself cannot come first.
 */
export const rolesComeFirst: StackRule = ({ template }) => {
  const resources = resourcesOf(template);
  const before = madeBefore(resources);
  const policies = ofType(resources, /^AWS::IAM::(?:Managed)?Policy$/);
  const users = ofType(resources, /^(?!AWS::IAM::)/);
  const pairs = users.flatMap(([user, { Properties }]) =>
    idsNamedIn(Properties)
      .filter((id) => resources[id]?.Type === 'AWS::IAM::Role')
      .flatMap((role) =>
        policies.filter(([, { Properties: of }]) => idsNamedIn(of?.['Roles']).includes(role)).map(([id]) => [user, id]),
      ),
  );

  return findingsAt(pairs, ([user = '', policy = '']) =>
    before(user).has(policy) || before(policy).has(user)
      ? undefined
      : `${plain(user)} may be made before ${plain(policy)}, without which its role may do nothing`,
  );
};

/** Where a type of resource has its name, and the paths of properties by which others name it. */
const namesByType = {
  'AWS::ApiGatewayV2::Stage': ['StageName', /\bStage$/],
  'AWS::Athena::WorkGroup': ['Name', /WorkGroup$/],
  'AWS::Events::EventBus': ['Name', /EventBusName$/],
  'AWS::EventSchemas::Registry': ['RegistryName', /RegistryName$/],
  'AWS::Glue::Database': ['DatabaseInput.Name', /Database(?:Name|\.Name)?$/],
  'AWS::Glue::Table': ['TableInput.Name', /(?:\bTable\.Name|TableName)$/],
  'AWS::Logs::LogGroup': ['LogGroupName', /LogGroupNames?$/],
} as const;

/** Each text in a value, with its path. */
const textsIn = (value: unknown, path = ''): readonly (readonly [path: string, text: string])[] => {
  if (typeof value === 'string') return [[path.replace(/^\.|\.\d+(?=\.|$)/g, ''), value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textsIn(inner, `${path}.${key}`));
};

/** A name that is written out makes no order, as a reference would. */
export const namedComesFirst: StackRule = ({ template }) => {
  const resources = resourcesOf(template);
  const before = madeBefore(resources);
  const named = Object.entries(namesByType).flatMap(([type, [own, naming]]) =>
    ofType(resources, new RegExp(`^${type}$`)).flatMap(([id, { Properties }]) => {
      const [, name] = textsIn(Properties).find(([path]) => path === own) ?? [];
      return name === undefined ? [] : [{ id, name, naming }];
    }),
  );
  const uses = named.flatMap(({ id, name, naming }) =>
    Object.entries(resources).flatMap(([user, { Type, Properties }]) =>
      Type !== resources[id]?.Type && textsIn(Properties).some(([path, text]) => text === name && naming.test(path))
        ? [{ user, id, name }]
        : [],
    ),
  );

  return findingsAt(uses, ({ user, id, name }) =>
    before(user).has(id) ? undefined : `${plain(user)} names ${name}, and may be made before ${plain(id)}`,
  );
};

/** The policies of what has one only: each resource that sets it replaces it. */
const replacing = /^AWS::(?:SQS::QueuePolicy|SNS::TopicPolicy|S3::BucketPolicy)$/;

/** A bus has one policy too, of which each of these changes a statement: two changes at once fail. */
const changing = /^AWS::Events::EventBusPolicy$/;

export const policiesComeOneByOne: StackRule = ({ template }: Synthesised): Findings => {
  const resources = resourcesOf(template);
  const before = madeBefore(resources);
  const owners = [...ofType(resources, replacing), ...ofType(resources, changing)].map(([id, { Type, Properties }]) => {
    const { PolicyDocument: _, Statement: __, ...owner } = Properties ?? {};
    return { id, Type, owner: idsNamedIn(owner).join() };
  });

  return findingsAt(owners, ({ id, Type, owner }) => {
    const others = owners.filter((other) => other.owner === owner && other.id !== id);
    const inVain = others.find(
      (other) => replacing.test(Type) || !(before(id).has(other.id) || before(other.id).has(id)),
    );
    return inVain && `${plain(id)} and ${plain(inVain.id)} change one policy, and nothing says which comes first`;
  });
};

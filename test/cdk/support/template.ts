import { App } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import cdkJson from '../../../cdk.json' with { type: 'json' };
import { type Context, stackIn } from './configurations.ts';

/** What an app does besides synthesising. Each takes seconds, so only one file uses it. */
export interface Thorough {
  readonly bundled?: boolean;
  /** Whether CDK checks the template against CloudFormation's schemas. */
  readonly validated?: boolean;
}

/** An app as `cdk synth` creates it, in the temporary folder of the run. */
export const appFor = ({ bundled = false, validated = false }: Thorough = {}) =>
  new App({
    builtinCloudFormationValidation: validated,
    context: { ...cdkJson.context, ...(!bundled && { 'aws:cdk:bundling-stacks': [] }) },
  });

type Variant = Thorough & { readonly context?: Context };

const synthesised = ({ context, ...thorough }: Variant) => {
  const app = appFor(thorough);
  const stack = stackIn(app, context);

  return {
    stack,
    outdir: app.outdir,
    stackName: stack.stackName,
    template: Template.fromStack(stack),
    warnings: Annotations.fromStack(stack).findWarning('*', Match.anyValue()),
  };
};

const variants = new Map<string, ReturnType<typeof synthesised>>();

/** The stack as `cdk synth` makes it. Each variant is synthesised once, and shared by the tests of a process. */
export const synthesise = (variant: Variant = {}) => {
  const name = JSON.stringify(variant);
  const found = variants.get(name) ?? synthesised(variant);
  variants.set(name, found);

  return found;
};

// biome-ignore lint/suspicious/noExplicitAny: a template's properties have no type, and a test reads them by path.
export type Properties = Record<string, any>;

/** Resources of a type, their properties by logical id. */
export const propertiesOf = (template: Template, type: string): Readonly<Record<string, Properties>> =>
  Object.fromEntries(
    Object.entries(template.findResources(type)).map(([id, { Properties }]): [string, Properties] => [id, Properties]),
  );

/** The same as entries. Throws if there are none, because a check of each of them would check nothing. */
export const someOf = (template: Template, type: string): readonly (readonly [string, Properties])[] => {
  const found = Object.entries(propertiesOf(template, type));
  if (found.length === 0) throw new Error(`There is no ${type}`);

  return found;
};

/** The properties of the only resource of a type whose logical id has this prefix, after the stack's own prefix. */
export const only = (template: Template, type: string, prefix: string): Properties => {
  const found = Object.entries(propertiesOf(template, type)).filter(([id]) => id.startsWith(`Callfeed${prefix}`));
  const [first] = found;
  if (first === undefined || found.length > 1)
    throw new Error(`${found.length} resources of ${type} begin with ${prefix}`);

  return first[1];
};

/** A readable name for a reference, an attribute, or text with references, without the stack's prefix and hashes. */
export const nameOf = (value: unknown): string => {
  if (typeof value === 'string') return value;
  const { Ref, 'Fn::GetAtt': attribute, 'Fn::Join': joined } = value as Intrinsic;
  if (joined) return joined[1].map(nameOf).join(joined[0]);
  const [id, suffix] = attribute ?? [Ref ?? 'nothing', 'Ref'];

  return `${plain(id)}.${suffix}`;
};

interface Intrinsic {
  readonly Ref?: string;
  readonly 'Fn::GetAtt'?: readonly [string, string];
  readonly 'Fn::Join'?: readonly [string, readonly unknown[]];
}

/** A logical id without the stack's prefix and the hash. */
export const plain = (logicalId: string): string => logicalId.replace(/^Callfeed/, '').replace(/[0-9A-F]{8}$/, '');

/** The parts of a policy statement that tests read. */
export interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Principal?: unknown;
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

/** The statements of a policy of any type. */
export const statementsOf = ({ PolicyDocument, Statement }: Properties): readonly Statement[] =>
  [PolicyDocument?.Statement ?? Statement].flat();

/** The statements of every policy in a template, with the logical id of the resource that has it. */
export const allStatements = (template: Template): readonly (readonly [string, Statement])[] =>
  policyTypes.flatMap((type) =>
    someOf(template, type).flatMap(([id, policy]) => statementsOf(policy).map((one) => [id, one] as const)),
  );

/** All types of policies; a test checks that there is no other. */
export const policyTypes = [
  'AWS::IAM::Policy',
  'AWS::SQS::QueuePolicy',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::TopicPolicy',
  'AWS::Events::EventBusPolicy',
] as const;

/** `action on resource` for each action and resource in a policy, with `Deny` in front of what is denied. */
export const permissionsIn = (policy: Properties): readonly string[] =>
  statementsOf(policy).flatMap(({ Effect, Action, Resource }) =>
    [Action]
      .flat()
      .flatMap((action) =>
        [Resource]
          .flat()
          .map((resource) => `${Effect === 'Allow' ? '' : `${Effect} `}${action} on ${nameOf(resource)}`),
      ),
  );

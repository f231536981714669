import type { Template } from 'aws-cdk-lib/assertions';
import { nameOf, type Properties, someOf } from './resources.ts';

/** A statement of a policy, as far as tests look at it. */
export interface Statement {
  readonly Effect: string;
  readonly Action: string | readonly string[];
  readonly Principal?: unknown;
  readonly Resource: unknown;
  readonly Condition?: unknown;
}

/** The statements of a policy of whatever kind. */
export const statementsOf = ({ PolicyDocument, Statement }: Properties): readonly Statement[] =>
  [PolicyDocument?.Statement ?? Statement].flat();

/** The statements of every policy in a template, with the logical id of the resource that has it. */
export const allStatements = (template: Template): readonly (readonly [string, Statement])[] =>
  policyTypes.flatMap((type) =>
    someOf(template, type).flatMap(([id, policy]) => statementsOf(policy).map((one) => [id, one] as const)),
  );

/** A test sees to it that there is no other. */
export const policyTypes = [
  'AWS::IAM::Policy',
  'AWS::SQS::QueuePolicy',
  'AWS::S3::BucketPolicy',
  'AWS::SNS::TopicPolicy',
  'AWS::Events::EventBusPolicy',
] as const;

/** `action on resource` for each of both in a policy; what is denied says so. */
export const rightsIn = (policy: Properties): readonly string[] =>
  statementsOf(policy).flatMap(({ Effect, Action, Resource }) =>
    [Action]
      .flat()
      .flatMap((action) =>
        [Resource]
          .flat()
          .map((resource) => `${Effect === 'Allow' ? '' : `${Effect} `}${action} on ${nameOf(resource)}`),
      ),
  );

import { ArnFormat, Stack } from 'aws-cdk-lib';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { keysOf } from '../lib/core/collections.ts';
import { StageName } from './settings/settings.ts';

/** The stage of a deployment in the same AWS account and region. */
export interface OfStage {
  /** The setting `stage` of Callfeed’s stack, or the property of the construct `Callfeed` in a customer’s own app. */
  readonly stage: string;
}

/** The parameters in SSM by which other stacks find a deployment. */
const descriptions = {
  'bus-arn': 'The event bus that carries the events of Callfeed.',
  'calls-table-arn': 'The table of calls of Callfeed.',
  'agents-table-arn': 'The table of agents of Callfeed.',
  'key-arn': 'The key that encrypts the tables and the bus; it ends in key/none if there is no key of yours.',
  'recordings-bucket-arn': 'The bucket of recordings of Callfeed; only with recordings=archive.',
  deployment: 'The dimension of the metrics of Callfeed, and the folder of its saved queries.',
} as const;

export type StageParameter = keyof typeof descriptions;

const stageParameterName = (stage: string, parameter: StageParameter): string => {
  const checked = StageName.safeParse(stage);
  if (!checked.success) throw new Error(`stage ${checked.error.issues[0]?.message}.`);

  return `/callfeed/${checked.data}/${parameter}`;
};

/** Writes the parameters of a stage. An AWS account can have one set of them for each stage and region. */
export const writeStageParameters = (
  scope: Construct,
  stage: string,
  values: Readonly<Record<StageParameter, string | undefined>>,
): void => {
  for (const name of keysOf(descriptions)) {
    const stringValue = values[name];
    if (stringValue === undefined) continue;
    const parameterName = stageParameterName(stage, name);
    new StringParameter(scope, name, { parameterName, stringValue, description: descriptions[name] });
  }
};

export const readStageParameter = (scope: Construct, stage: string, parameter: StageParameter): string =>
  StringParameter.valueForStringParameter(scope, stageParameterName(stage, parameter));

/** The last part of an ARN that a parameter has, which is known only when the stack is deployed. */
export const nameIn = (arn: string, scope: Construct): string =>
  Stack.of(scope).splitArn(arn, ArnFormat.SLASH_RESOURCE_NAME).resourceName ?? '';

import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import type { Construct } from 'constructs';
import { keysOf } from '../lib/core/collections.ts';
import { StageName } from './settings/settings.ts';

/** What a deployment publishes for its subscribers and readers, by the last part of the parameter's name. */
const described = {
  'bus-arn': 'The event bus that carries the events of Callfeed.',
  'calls-table-arn': 'The table of calls of Callfeed.',
  'agents-table-arn': 'The table of agents of Callfeed.',
  'key-arn': 'The key that encrypts the tables and the bus; it ends in key/none if there is no key of yours.',
  'recordings-bucket-arn': 'The bucket of recordings of Callfeed; only with recordings=archive.',
  deployment: 'The dimension of the metrics of Callfeed, and the folder of its saved queries.',
} as const;

export type StageParameter = keyof typeof described;

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
  for (const name of keysOf(described)) {
    const stringValue = values[name];
    if (stringValue === undefined) continue;
    new StringParameter(scope, name, {
      parameterName: stageParameterName(stage, name),
      stringValue,
      description: described[name],
    });
  }
};

/** A parameter of a stage. CloudFormation reads it at each deployment of the reader’s stack. */
export const readStageParameter = (scope: Construct, stage: string, parameter: StageParameter): string =>
  StringParameter.valueForStringParameter(scope, stageParameterName(stage, parameter));

import { ArnFormat, Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { StringParameter } from 'aws-cdk-lib/aws-ssm';
import { Construct } from 'constructs';
import { keysOf } from '../lib/core/collections.ts';
import { readActions } from './constructs/storage.ts';
import { StageName } from './settings/settings.ts';

interface CallfeedTablesProps
  extends Readonly<Record<'calls' | 'agents', { readonly arn: string; readonly name: string }>> {
  readonly keyArn: string | undefined;
  readonly recordingsBucketArn: () => string | undefined;
}

/** The stage of a deployment in the same AWS account and region. */
export interface OfStage {
  /** The setting `stage` of Callfeed’s stack, or the property of the construct `Callfeed` in a customer’s own app. */
  readonly stage: string;
}

/** What readers in other AWS accounts need to know; the owner of the deployment gives it to them. */
export interface TableArns {
  readonly callsTableArn: string;
  readonly agentsTableArn: string;
  /** The key of the deployment’s owner, if one encrypts the tables. */
  readonly keyArn?: string;
  /** The bucket of recordings, if they are archived. Its owner lets you read it by the bucket’s policy. */
  readonly recordingsBucketArn?: string;
}

/**
 * The tables of calls and agents, for readers with their own stack. It creates no resource. Give a function the names and the
 * permission to read, and make a client in it.
 * @example
 * const tables = CallfeedTables.fromStage(this, 'Tables', { stage: 'prod' });
 * const environment = { CALLS_TABLE: tables.callsTableName, AGENTS_TABLE: tables.agentsTableName };
 * tables.grantRead(new NodejsFunction(this, 'Wallboard', { environment }));
 * // In the function: createCallfeedClient({ dynamodb, tables: { calls: CALLS_TABLE, agents: AGENTS_TABLE }, account })
 */
export class CallfeedTables extends Construct {
  readonly callsTableArn: string;
  readonly agentsTableArn: string;
  /** What requests to DynamoDB give as `TableName`, here and below. It is the ARN if the table may be in another AWS account. */
  readonly callsTableName: string;
  readonly agentsTableName: string;
  readonly #props: CallfeedTablesProps;

  /** @internal Use `fromStage` or `fromArns`, or the property `tables` of `Callfeed` in the same app. */
  constructor(scope: Construct, id: string, props: CallfeedTablesProps) {
    super(scope, id);

    const { calls, agents } = props;
    this.callsTableArn = calls.arn;
    this.callsTableName = calls.name;
    this.agentsTableArn = agents.arn;
    this.agentsTableName = agents.name;
    this.#props = props;
  }

  /** The tables of a deployment in the same AWS account and region, found by SSM parameters when the stack is deployed. */
  static fromStage(scope: Construct, id: string, { stage }: OfStage): CallfeedTables {
    const read = (parameter: StageParameter) => readStageParameter(scope, stage, parameter);
    const table = (arn: string) => ({ arn, name: nameIn(arn, scope) });

    return new CallfeedTables(scope, id, {
      calls: table(read('calls-table-arn')),
      agents: table(read('agents-table-arn')),
      keyArn: read('key-arn'),
      // Only a deployment that archives recordings has this parameter: whoever does not ask for it needs none.
      recordingsBucketArn: () => read('recordings-bucket-arn'),
    });
  }

  /** The tables of a deployment in any AWS account. In another one, its owner has to name yours in `readerAccounts`. */
  static fromArns(scope: Construct, id: string, arns: TableArns): CallfeedTables {
    const { callsTableArn, agentsTableArn, keyArn, recordingsBucketArn } = arns;
    return new CallfeedTables(scope, id, {
      calls: { arn: callsTableArn, name: callsTableArn },
      agents: { arn: agentsTableArn, name: agentsTableArn },
      keyArn,
      recordingsBucketArn: () => recordingsBucketArn,
    });
  }

  /** Grants GetItem, BatchGetItem and Query on both tables and their indexes, and the use of the key through DynamoDB. */
  grantRead(grantee: IGrantable): Grant {
    const tables = Grant.addToPrincipal({
      grantee,
      actions: [...readActions],
      resourceArns: [this.callsTableArn, this.agentsTableArn].flatMap((arn) => [arn, `${arn}/index/*`]),
    });
    return this.#withKey(grantee, tables, 'dynamodb');
  }

  /**
   * Grants GetObject on the archived recordings, and the use of the key through S3. The rows that name them, by bucket and key,
   * are in the table of calls. Throws if recordings are not archived.
   * @example
   * tables.grantRead(transcriber);
   * tables.grantReadRecordings(transcriber);
   */
  grantReadRecordings(grantee: IGrantable): Grant {
    const bucketArn = this.#props.recordingsBucketArn();
    if (bucketArn === undefined)
      throw new Error(`${this.node.path}: there is no bucket of recordings. Deploy Callfeed with recordings=archive.`);
    const objects = Grant.addToPrincipal({ grantee, actions: ['s3:GetObject'], resourceArns: [`${bucketArn}/*`] });
    return this.#withKey(grantee, objects, 's3');
  }

  #withKey(grantee: IGrantable, grant: Grant, service: 'dynamodb' | 's3'): Grant {
    const { keyArn } = this.#props;
    if (keyArn === undefined) return grant;

    const { region } = Stack.of(this).splitArn(this.callsTableArn, ArnFormat.SLASH_RESOURCE_NAME);
    const key = Grant.addToPrincipal({
      grantee,
      actions: ['kms:Decrypt'],
      resourceArns: [keyArn],
      conditions: { StringEquals: { 'kms:ViaService': `${service}.${region}.amazonaws.com` } },
    });
    return grant.combine(key);
  }
}

/** The last part of an ARN that is known only when the stack is deployed. */
export const nameIn = (arn: string, scope: Construct): string =>
  Stack.of(scope).splitArn(arn, ArnFormat.SLASH_RESOURCE_NAME).resourceName ?? '';

const described = {
  'bus-arn': 'The event bus that carries the events of Callfeed.',
  'calls-table-arn': 'The table of calls of Callfeed.',
  'agents-table-arn': 'The table of agents of Callfeed.',
  'key-arn': 'The key that encrypts the tables and the bus; it ends in key/none if there is no key of yours.',
  'recordings-bucket-arn': 'The bucket of recordings of Callfeed; only with recordings=archive.',
  deployment: 'The dimension of the metrics of Callfeed, and the folder of its saved queries.',
} as const;

type StageParameter = keyof typeof described;

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
    const parameterName = stageParameterName(stage, name);
    new StringParameter(scope, name, { parameterName, stringValue, description: described[name] });
  }
};

export const readStageParameter = (scope: Construct, stage: string, parameter: StageParameter): string =>
  StringParameter.valueForStringParameter(scope, stageParameterName(stage, parameter));

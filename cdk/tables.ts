import { ArnFormat, Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { readActions } from './constructs/storage.ts';
import { nameIn, type OfStage, readStageParameter, type StageParameter } from './stage-parameters.ts';

interface TableReference {
  readonly arn: string;
  /** The `TableName` for requests to DynamoDB. */
  readonly name: string;
}

interface CallfeedTablesProps {
  readonly calls: TableReference;
  readonly agents: TableReference;
  readonly keyArn: string | undefined;
  /** A function, as reading the parameter demands it: only a deployment that archives recordings has it. */
  readonly recordingsBucketArn: () => string | undefined;
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
  /** The `TableName` for requests to DynamoDB. It is the ARN where the table may be in another AWS account. */
  readonly callsTableName: string;
  /** As `callsTableName`, of the table of agents. */
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

  /** Grants GetItem, BatchGetItem and Query on both tables and their indexes, and to decrypt with the deployment's key through DynamoDB. */
  grantRead(grantee: IGrantable): Grant {
    const tables = Grant.addToPrincipal({
      grantee,
      actions: [...readActions],
      resourceArns: [this.callsTableArn, this.agentsTableArn].flatMap((arn) => [arn, `${arn}/index/*`]),
    });
    return this.#grantKey(grantee, tables, 'dynamodb');
  }

  /**
   * Grants GetObject on the archived recordings, and to decrypt with the deployment's key through S3. The rows that name them, by bucket and key,
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
    return this.#grantKey(grantee, objects, 's3');
  }

  #grantKey(grantee: IGrantable, grant: Grant, service: 'dynamodb' | 's3'): Grant {
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

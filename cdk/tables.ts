import { ArnFormat, Stack } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { readActions } from './constructs/table.ts';
import { readStageParameter } from './stage-parameters.ts';

/** A table: its ARN, and what requests to DynamoDB give as `TableName`. */
interface ReadTable {
  readonly arn: string;
  readonly name: string;
}

/** The tables of a deployment, and the key that encrypts them. */
interface CallfeedTablesProps {
  readonly calls: ReadTable;
  readonly agents: ReadTable;
  readonly keyArn: string | undefined;
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
  /** What requests to DynamoDB give as `TableName`. It is the ARN if the table may be in another AWS account. */
  readonly callsTableName: string;
  /** The same for the table of agents. */
  readonly agentsTableName: string;
  readonly #keyArn: string | undefined;

  /** @internal Use `fromStage` or `fromArns`, or the property `tables` of `Callfeed` in the same app. */
  constructor(scope: Construct, id: string, { calls, agents, keyArn }: CallfeedTablesProps) {
    super(scope, id);

    this.callsTableArn = calls.arn;
    this.callsTableName = calls.name;
    this.agentsTableArn = agents.arn;
    this.agentsTableName = agents.name;
    this.#keyArn = keyArn;
  }

  /** The tables of a deployment in the same AWS account and region, found by SSM parameters when the stack is deployed. */
  static fromStage(scope: Construct, id: string, { stage }: OfStage): CallfeedTables {
    const table = (parameter: 'calls-table-arn' | 'agents-table-arn'): ReadTable => {
      const arn = readStageParameter(scope, stage, parameter);
      return { arn, name: nameIn(arn, scope) };
    };

    return new CallfeedTables(scope, id, {
      calls: table('calls-table-arn'),
      agents: table('agents-table-arn'),
      keyArn: readStageParameter(scope, stage, 'key-arn'),
    });
  }

  /** The tables of a deployment in any AWS account. In another one, its owner has to name yours in `readerAccounts`. */
  static fromArns(scope: Construct, id: string, { callsTableArn, agentsTableArn, keyArn }: TableArns): CallfeedTables {
    return new CallfeedTables(scope, id, {
      calls: { arn: callsTableArn, name: callsTableArn },
      agents: { arn: agentsTableArn, name: agentsTableArn },
      keyArn,
    });
  }

  /** Grants GetItem, BatchGetItem and Query on both tables and their indexes, and the use of the key through DynamoDB. */
  grantRead(grantee: IGrantable): Grant {
    const tables = Grant.addToPrincipal({
      grantee,
      actions: [...readActions],
      resourceArns: [this.callsTableArn, this.agentsTableArn].flatMap((arn) => [arn, `${arn}/index/*`]),
    });
    if (this.#keyArn === undefined) return tables;

    const { region } = Stack.of(this).splitArn(this.callsTableArn, ArnFormat.SLASH_RESOURCE_NAME);
    const key = Grant.addToPrincipal({
      grantee,
      actions: ['kms:Decrypt'],
      resourceArns: [this.#keyArn],
      conditions: { StringEquals: { 'kms:ViaService': `dynamodb.${region}.amazonaws.com` } },
    });
    return tables.combine(key);
  }
}

/** The last part of an ARN that is known only when the stack is deployed. */
export const nameIn = (arn: string, scope: Construct): string =>
  Stack.of(scope).splitArn(arn, ArnFormat.SLASH_RESOURCE_NAME).resourceName ?? '';

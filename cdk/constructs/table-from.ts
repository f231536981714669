import { RemovalPolicy } from 'aws-cdk-lib';
import {
  type Attribute,
  AttributeType,
  Billing,
  ProjectionType,
  StreamViewType,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import type { Index, Key, Table } from '../../lib/contract/tables.ts';

const textAttribute = (name: string): Attribute => ({ name, type: AttributeType.STRING });

const keyOf = ({ partition, sort }: Key) => ({
  partitionKey: textAttribute(partition),
  ...(sort !== undefined && { sortKey: textAttribute(sort) }),
});

const indexFrom = ({ name, key, projection }: Index) => ({
  indexName: name,
  ...keyOf(key),
  projectionType: ProjectionType.INCLUDE,
  nonKeyAttributes: [...projection],
});

/** The table a declaration of the contract asks for: paid by use, recoverable to any second, kept when the stack goes. */
export const tableFrom = (scope: Construct, id: string, declaration: Table): TableV2 =>
  new TableV2(scope, id, {
    ...keyOf(declaration.key),
    billing: Billing.onDemand(),
    globalSecondaryIndexes: declaration.indexes.map(indexFrom),
    timeToLiveAttribute: declaration.timeToLive,
    ...(declaration.published.length > 0 && { dynamoStream: StreamViewType.NEW_AND_OLD_IMAGES }),
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    removalPolicy: RemovalPolicy.RETAIN,
  });

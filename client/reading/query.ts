import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { type Item, marshalled } from '../../functions/adapters/marshalling.ts';
import type { Key } from '../../lib/contract/tables.ts';

/** Rows of one partition, all or those within a range of sort keys; both ends are included. */
export interface Query {
  /** The key of the table, or of an index of it. */
  readonly key: Required<Key>;
  readonly index?: string;
  readonly partition: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly isBackwards?: boolean;
}

/** Where in a query a request begins, and how many rows it reads at most. */
export interface Portion {
  readonly after?: Item | undefined;
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

const sortCondition = ({ from, to }: Query): string => {
  if (from !== undefined && to !== undefined) return ' AND #sort BETWEEN :from AND :to';
  if (from !== undefined) return ' AND #sort >= :from';
  return to === undefined ? '' : ' AND #sort <= :to';
};

/** The request for a portion of a query. It has no filter, so it reads what it returns and nothing else. */
export const queryInput = (query: Query, { after, limit }: Portion): Omit<QueryCommandInput, 'TableName'> => {
  const { key, index, partition, from, to, isBackwards = false } = query;
  const onSort = sortCondition(query);
  return {
    ...(index !== undefined && { IndexName: index }),
    KeyConditionExpression: `#partition = :partition${onSort}`,
    ExpressionAttributeNames: { '#partition': key.partition, ...(onSort !== '' && { '#sort': key.sort }) },
    ExpressionAttributeValues: marshalled({ ':partition': partition, ':from': from, ':to': to }),
    ...(isBackwards && { ScanIndexForward: false }),
    ...(after !== undefined && { ExclusiveStartKey: after }),
    ...(limit !== undefined && { Limit: limit }),
  };
};

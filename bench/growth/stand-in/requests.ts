import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';

const Row = z.record(z.string(), z.custom<AttributeValue>());

const Condition = {
  ConditionExpression: z.string().optional(),
  ExpressionAttributeValues: Row.optional(),
  ReturnValuesOnConditionCheckFailure: z.enum(['NONE', 'ALL_OLD']).optional(),
};

/** A row that is put where its condition holds. */
export const Put = z.strictObject({ TableName: z.string(), Item: Row, ...Condition });

/** A row that is removed where its condition holds. */
export const Delete = z.strictObject({ TableName: z.string(), Key: Row, ...Condition });

/** Rows that are put and removed together or not at all. */
export const Transaction = z.object({
  TransactItems: z.array(z.union([z.strictObject({ Put }), z.strictObject({ Delete })])),
});

/** Rows that are put and removed each on its own. */
export const Batch = z.strictObject({
  RequestItems: z.record(
    z.string(),
    z.array(
      z.union([
        z.strictObject({ PutRequest: z.strictObject({ Item: Row }) }),
        z.strictObject({ DeleteRequest: z.strictObject({ Key: Row }) }),
      ]),
    ),
  ),
});

/** The rows of a partition, or those between two sort keys. */
export const Query = z.strictObject({
  TableName: z.string(),
  ConsistentRead: z.boolean().optional(),
  KeyConditionExpression: z.enum(['pk = :pk', 'pk = :pk AND sk BETWEEN :from AND :to']),
  ExpressionAttributeValues: z.strictObject({
    ':pk': z.object({ S: z.string() }),
    ':from': z.object({ S: z.string() }).optional(),
    ':to': z.object({ S: z.string() }).optional(),
  }),
  ExclusiveStartKey: z.object({ sk: z.object({ S: z.string() }) }).optional(),
});

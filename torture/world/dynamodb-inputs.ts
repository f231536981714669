import * as z from 'zod';
import type { Item, Values } from './dynamodb-expressions.ts';

const GivenValues = z.custom<Values>().optional();
const GivenItem = z.custom<Item>((value) => typeof value === 'object');
const Condition = {
  ConditionExpression: z.string().optional(),
  ExpressionAttributeValues: GivenValues,
  ReturnValuesOnConditionCheckFailure: z.enum(['NONE', 'ALL_OLD']).optional(),
};
/** What PutItem is asked with, as far as our functions ask. */
export const Put = z.object({ TableName: z.string(), Item: GivenItem, ...Condition });
/** What DeleteItem is asked with, as far as our functions ask. */
export const Delete = z.object({ TableName: z.string(), Key: GivenItem, ...Condition });
/** What TransactWriteItems is asked with, as far as our functions ask. */
export const Transaction = z.object({
  TransactItems: z.array(z.object({ Put: Put.optional(), Delete: Delete.optional() })),
});
/** What BatchWriteItem is asked with, as far as our functions ask. */
export const Batch = z.object({
  RequestItems: z.record(
    z.string(),
    z.array(
      z.object({
        PutRequest: z.object({ Item: GivenItem }).optional(),
        DeleteRequest: z.object({ Key: GivenItem }).optional(),
      }),
    ),
  ),
});
/** What UpdateItem is asked with, as far as our functions ask. */
export const Update = Delete.extend({ UpdateExpression: z.string(), ReturnValues: z.enum(['UPDATED_NEW']).optional() });
/** What Query is asked with, as far as our functions ask. */
export const Query = z.object({
  TableName: z.string(),
  KeyConditionExpression: z.enum(['pk = :pk', 'pk = :pk AND sk BETWEEN :from AND :to']),
  ExpressionAttributeValues: z.custom<Values>(),
});

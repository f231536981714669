import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';

const Row = z.record(z.string(), z.custom<AttributeValue>());
const Put = z.object({ TableName: z.string(), Item: Row });
const Delete = z.object({ TableName: z.string(), Key: Row });

const Transaction = z.object({
  TransactItems: z.array(z.union([z.strictObject({ Put }), z.strictObject({ Delete })])),
});

const Batch = z.object({
  RequestItems: z.record(
    z.string(),
    z.array(
      z.union([
        z.strictObject({ PutRequest: z.object({ Item: Row }) }),
        z.strictObject({ DeleteRequest: z.object({ Key: Row }) }),
      ]),
    ),
  ),
});

const Query = z.object({ TableName: z.string(), KeyConditionExpression: z.string() });

/** A row that a command puts, or the key of one that it removes. */
export interface Target {
  readonly tableName: string;
  readonly row: z.infer<typeof Row>;
  readonly isRemoval: boolean;
}

/** What a command does, by its input. Throws for one that none of our functions sends on its usual way. */
export const parseCommand = (
  input: object,
): { readonly kind: 'read' | 'write' | 'transaction'; readonly targets: readonly Target[] } => {
  const put = Put.safeParse(input);
  if (put.success) return { kind: 'write', targets: [putIn(put.data)] };

  const batch = Batch.safeParse(input);
  if (batch.success) return { kind: 'write', targets: Object.entries(batch.data.RequestItems).flatMap(batchOf) };

  const transaction = Transaction.safeParse(input);
  if (transaction.success) {
    const targets = transaction.data.TransactItems.map((one) =>
      'Put' in one ? putIn(one.Put) : removedIn(one.Delete),
    );
    return { kind: 'transaction', targets };
  }
  if (Query.safeParse(input).success) return { kind: 'read', targets: [] };
  throw new Error(`It is not known what a command with ${Object.keys(input).join(', ')} takes`);
};

const putIn = ({ TableName, Item }: z.infer<typeof Put>): Target => ({
  tableName: TableName,
  row: Item,
  isRemoval: false,
});

const removedIn = ({ TableName, Key }: z.infer<typeof Delete>): Target => ({
  tableName: TableName,
  row: Key,
  isRemoval: true,
});

const batchOf = ([TableName, requests]: [string, z.infer<typeof Batch>['RequestItems'][string]]): readonly Target[] =>
  requests.map((request) =>
    'PutRequest' in request
      ? putIn({ TableName, ...request.PutRequest })
      : removedIn({ TableName, ...request.DeleteRequest }),
  );

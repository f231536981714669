import {
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';

const client = new DynamoDBClient();
const tables = { calls: process.env['CALLS_TABLE'], agents: process.env['AGENTS_TABLE'] };

// biome-ignore lint/suspicious/noExplicitAny: each operation has its own input.
type Input = any;

/** Each resolves with how many rows it got. */
const operations = {
  'get-item': async (input: Input) => Number('Item' in (await client.send(new GetItemCommand(input)))),
  query: async (input: Input) => (await client.send(new QueryCommand(input))).Count,
  scan: async (input: Input) => (await client.send(new ScanCommand(input))).Count,
  'put-item': (input: Input) => client.send(new PutItemCommand(input)).then(() => 0),
  'delete-item': (input: Input) => client.send(new DeleteItemCommand(input)).then(() => 0),
};

/** A request to a table of Callfeed, as the contract shows it. */
export interface Attempt {
  readonly table: keyof typeof tables;
  readonly operation: keyof typeof operations;
  readonly input: Input;
}

/** Makes each request with the role of this function. Resolves with the number of rows, or the name of the error. */
export const handler = (attempts: readonly Attempt[]) =>
  Promise.all(
    attempts.map(({ table, operation, input }) =>
      operations[operation]({ TableName: tables[table], ...input }).catch((error: Error) => error.name),
    ),
  );

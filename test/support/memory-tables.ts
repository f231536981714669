import { dynamoAgentTable } from '../../functions/adapters/dynamo-agent-table.ts';
import { dynamoVersionedRows } from '../../functions/adapters/dynamo-versioned-rows.ts';
import { type AgentTable, type Row, unmarshalled } from '../../lib/storage/rows.ts';
import { awsClients } from '../deployment/aws-clients.ts';
import { memoryDynamodb } from '../deployment/memory-dynamodb/memory-dynamodb.ts';
import { rowChange, worldTables } from '../deployment/memory-world.ts';

/** Longer than a busy machine takes. */
const deadlineMs = 60_000;

type OnChange = (before: Row | undefined, after: Row | undefined) => void;

/** A client of tables in memory, and their rows. */
const memoryTables = (onChange: OnChange = () => undefined) => {
  const dynamodb = memoryDynamodb(worldTables, (change) => {
    const { before, after } = rowChange(change, 0);
    onChange(before, after);
  });
  const client = awsClients(
    () => (request) =>
      dynamodb.handle({ method: 'POST', path: '/', headers: { ...request.headers }, body: request.body }),
  ).dynamodb;
  return { client, rowsOf: (table: string): readonly Row[] => dynamodb.items(table).map(unmarshalled) };
};

/** The agents' table as deployed, over DynamoDB in memory. `onCall` is called before and after each call. */
export const memoryAgentTable = (onCall: (when: string) => unknown = () => undefined) => {
  const { client, rowsOf } = memoryTables();
  const deployed = dynamoAgentTable({ client, tableName: 'agents', deadlineMs });
  const around = async <Answer>(call: string, answer: () => Promise<Answer>): Promise<Answer> => {
    await onCall(`before ${call}`);
    const answered = await answer();
    await onCall(`after ${call}`);
    return answered;
  };
  const table: AgentTable = {
    query: (pk, between) => around('query', () => deployed.query(pk, between)),
    write: (row, alongside) => around('write', () => deployed.write(row, alongside)),
    put: (rows) => around('put', () => deployed.put(rows)),
    remove: (keys) => around('remove', () => deployed.remove(keys)),
  };
  return { ...table, all: () => rowsOf('agents') };
};

/** The calls' table as deployed, over DynamoDB in memory. `onChange` sees each change of a row, as the stream would. */
export const memoryVersionedRows = (onChange?: OnChange) => {
  const { client, rowsOf } = memoryTables(onChange);
  return {
    ...dynamoVersionedRows(client, 'calls'),
    /** The rows whose key matches, by partition and sort key. */
    select: (matches: (key: { readonly pk: string; readonly sk: string }) => boolean = () => true): readonly Row[] =>
      rowsOf('calls').filter(({ pk, sk }) => matches({ pk: String(pk), sk: String(sk) })),
  };
};

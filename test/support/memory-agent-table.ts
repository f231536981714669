import { dynamoAgentTable } from '../../functions/adapters/dynamo-agent-table.ts';
import type { AgentTable, Row } from '../../lib/storage/rows.ts';
import { unmarshalled } from '../../lib/storage/rows.ts';
import { awsClients } from '../deployment/aws-clients.ts';
import { memoryDynamodb } from '../deployment/memory-dynamodb/memory-dynamodb.ts';
import { worldTables } from '../deployment/memory-world.ts';

/** Longer than a busy machine takes. */
const deadlineMs = 60_000;

/** The agents' table as deployed, over DynamoDB in memory. `onCall` is called before and after each call. */
export const memoryAgentTable = (onCall: (when: string) => unknown = () => undefined) => {
  const dynamodb = memoryDynamodb(worldTables, () => undefined);
  const client = awsClients(
    () => (request) =>
      dynamodb.handle({ method: 'POST', path: '/', headers: { ...request.headers }, body: request.body }),
  ).dynamodb;
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
  return { ...table, all: (): readonly Row[] => dynamodb.items('agents').map(unmarshalled) };
};

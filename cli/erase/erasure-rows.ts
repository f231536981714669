import {
  DeleteItemCommand,
  DescribeTableCommand,
  PutItemCommand,
  paginateScan,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { pollStatusKey, pollStatusOf, timelineKey } from '../../lib/agents/rows.ts';
import { QuarantineEntry } from '../../lib/callback/schema.ts';
import { keyItem, marshalled, type Row, type RowKey, unmarshalled } from '../../lib/storage/rows.ts';
import type { Deployment } from '../frame/deployment.ts';
import {
  callPorts,
  type DeployedTables,
  isCallRow,
  isWritten,
  type RowId,
  rowAt,
  rowsOfCall,
  storeDeadline,
} from '../frame/rows.ts';
import { scanEntries } from '../quarantine/quarantine-entries.ts';
import { countRecordings, eraseRecordings } from '../recordings/stored-recordings.ts';
import { isAgentIn, withoutAgent } from './agent-rows.ts';
import type { AgentIdentity } from './erase-agent.ts';
import { eraseCall, type Person, planErasure, withoutPersonInEntry } from './erase-person.ts';

export const erasable: readonly string[] = ['calls', 'recordings', 'quarantine', 'agents', 'timeline', 'snapshots'];

/** Rows that name the person: all that belong to one call, its recordings with their objects, or one row of another kind. */
export interface FoundRows {
  readonly kind: string;
  readonly rows: number;
  readonly erase: () => Promise<number>;
}

export interface ErasureSearch {
  readonly deployment: Deployment;
  readonly person: Person;
  readonly agent: AgentIdentity | undefined;
  readonly withRecordings: boolean;
  readonly clock: () => Date;
}

interface WatchedSearch extends ErasureSearch {
  readonly onRead: (rows: number) => void;
  /** Gets the key of each row that cannot be read. Its call is left as it is, so that a later run still finds it. */
  readonly onUnreadable: (key: RowKey) => void;
}

/** How many rows have to be read, and with how many read units. DynamoDB counts rows every six hours. */
export const sizeOf = async ({ deployment: { dynamodb, tables }, agent }: ErasureSearch) => {
  let rows = 0;
  let units = 0;
  // Customers are in no row of the agents' table.
  for (const TableName of [tables.calls, tables.quarantine, ...(agent === undefined ? [] : [tables.agents])]) {
    const { Table } = await dynamodb.send(new DescribeTableCommand({ TableName }));
    rows += Table?.ItemCount ?? 0;
    units += Math.ceil((Table?.TableSizeBytes ?? 0) / 4096);
  }
  return { rows, units };
};

/** Everything that names the person. No index has it, so every row is read. */
export async function* findings(search: WatchedSearch): AsyncGenerator<FoundRows> {
  yield* inCalls(search);
  yield* inQuarantine(search);
  if (search.agent !== undefined) yield* inAgents(search, search.agent);
}

async function* inCalls(search: WatchedSearch): AsyncGenerator<FoundRows> {
  const { deployment, person, clock, withRecordings, onRead, onUnreadable } = search;
  const eraseRows = eraseCall(callPorts(deployment, clock));
  const plan = (call: readonly Row[]) => {
    try {
      return planErasure(call, person);
    } catch {
      return undefined;
    }
  };
  const findingsOf = async (rowsOfOne: readonly Row[]): Promise<readonly FoundRows[]> => {
    const planned = plan(rowsOfOne);
    if (planned === undefined) {
      const unreadable = rowsOfOne.filter((row) => plan([row]) === undefined);
      for (const row of unreadable.length > 0 ? unreadable : rowsOfOne) onUnreadable(keyOf(row));
      return [];
    }
    const [first] = planned;
    if (first === undefined) return [];
    const { account, callId } = first.record.key;
    const call = { account, callId };
    const recordings: FoundRows = {
      kind: 'recordings',
      rows: withRecordings ? await countRecordings(deployment, call) : 0,
      erase: async () => (withRecordings ? eraseRecordings(deployment, call, clock) : 0),
    };
    const eraseAll = async () => {
      // Before the rows: a call that no longer names the person is not found again, and its recordings neither.
      await recordings.erase();
      const stored = await rowsOfCall(deployment, call);
      const rows = await eraseRows(stored, person, storeDeadline());
      // What was asked for meanwhile. Nobody asks any more, since the links are gone.
      await recordings.erase();
      return rows;
    };
    const found: FoundRows = { kind: 'calls', rows: planned.length, erase: eraseAll };
    return recordings.rows > 0 ? [recordings, found] : [found];
  };

  // A scan returns the rows of a partition, so those of a call, one after the other.
  let call: readonly Row[] = [];
  for await (const row of scan(deployment, deployment.tables.calls, onRead)) {
    if (!isCallRow(row)) continue;
    if (row['pk'] === call[0]?.['pk']) call = [...call, row];
    else {
      yield* await findingsOf(call);
      call = [row];
    }
  }
  yield* await findingsOf(call);
}

async function* inQuarantine({ deployment, person, clock, onRead }: WatchedSearch): AsyncGenerator<FoundRows> {
  const without = (row: Row) => withoutPersonInEntry(QuarantineEntry.parse(row), person, clock().toISOString());
  const write = (id: string) =>
    rewrite(deployment, deployment.tables.quarantine, { id }, (row) => {
      const { storedAs: _storedAs, bytes: _bytes, ...rest } = row;
      const entry = without(row);
      return entry && { ...rest, ...entry };
    });
  let before = 0;
  const countNew = (read: number) => {
    onRead(read - before);
    before = read;
  };
  for await (const page of scanEntries(deployment, {}, countNew))
    for (const { id, entry } of page)
      if (without(entry) !== undefined) yield { kind: 'quarantine', rows: 1, erase: () => write(id) };
}

async function* inAgents({ deployment, onRead }: WatchedSearch, agent: AgentIdentity): AsyncGenerator<FoundRows> {
  const { agents } = deployment.tables;
  for await (const row of scan(deployment, agents, onRead)) {
    if (row['account'] !== agent.account || !isAgentIn(row, agent.agentId)) continue;
    const key = keyOf(row);
    if (row['kind'] === 'agent') yield { kind: 'agents', rows: 1, erase: () => remove(deployment, key) };
    else if (row['kind'] === 'interval')
      yield { kind: 'timeline', rows: 1, erase: () => moveInterval(deployment, key, agent) };
    else
      yield {
        kind: 'snapshots',
        rows: 1,
        erase: () => rewrite(deployment, agents, key, (now) => withoutAgent(now, agent)),
      };
  }
}

const keyOf = ({ pk, sk }: Row): RowKey => ({ pk: String(pk), sk: String(sk) });

async function* scan(
  { dynamodb }: DeployedTables,
  TableName: string,
  onRead: (rows: number) => void,
): AsyncGenerator<Row> {
  const pages = paginateScan({ client: dynamodb }, { TableName, ConsistentRead: true });
  for await (const { Items = [], ScannedCount = 0 } of pages) {
    onRead(ScannedCount);
    for (const item of Items) yield unmarshalled(item);
  }
}

/** Writes a row as it is changed; nothing if the row has gone, or has no change by now. No other writer changes it. */
const rewrite = async (
  deployment: DeployedTables,
  TableName: string,
  key: RowId,
  change: (row: Row) => Row | undefined,
): Promise<number> => {
  const stored = await rowAt(deployment, TableName, key);
  const row = stored && change(stored);
  if (row === undefined) return 0;
  const ConditionExpression = `attribute_exists(${Object.keys(key)[0]})`;
  const put = new PutItemCommand({ TableName, Item: marshalled(row), ConditionExpression });
  return Number(await isWritten(deployment.dynamodb.send(put)));
};

const remove = async ({ dynamodb, tables }: DeployedTables, key: RowKey): Promise<number> => {
  await dynamodb.send(new DeleteItemCommand({ TableName: tables.agents, Key: keyItem(key) }));
  return 1;
};

const moveInterval = async (deployment: DeployedTables, key: RowKey, agent: AgentIdentity): Promise<number> => {
  const TableName = deployment.tables.agents;
  const row = await rowAt(deployment, TableName, key);
  if (row === undefined) return 0;
  const moved = { ...withoutAgent(row, agent), pk: timelineKey(agent.account, agent.pseudonym) };
  const TransactItems = [{ Put: { TableName, Item: marshalled(moved) } }, { Delete: { TableName, Key: keyItem(key) } }];
  await deployment.dynamodb.send(new TransactWriteItemsCommand({ TransactItems }));
  return 1;
};

/** Whether the account’s agents are still polled: the next poll would bring an agent who is logged in back. */
export const isPolledNow = async (deployment: DeployedTables, account: string, now: Date): Promise<boolean> => {
  const row = await rowAt(deployment, deployment.tables.agents, pollStatusKey(account));
  const { staleAt } = row === undefined ? {} : pollStatusOf(row);
  return staleAt !== undefined && staleAt > now.toISOString();
};

/** The partition of the records of erasures. Partitions of calls have a `#` in their key. */
const recordsKey = 'erasure';

/** Records an erasure, without the person, in a row that does not expire. The same instant replaces it. */
export const recordErasure = async (
  { dynamodb, tables }: DeployedTables,
  startedAt: string,
  about: Row,
): Promise<void> => {
  const Item = marshalled({ pk: recordsKey, sk: startedAt, kind: 'erasure', startedAt, ...about });
  await dynamodb.send(new PutItemCommand({ TableName: tables.calls, Item }));
};

import { setTimeout as pause } from 'node:timers/promises';
import {
  ConditionalCheckFailedException,
  QueryCommand,
  ScanCommand,
  type ScanCommandInput,
  TransactionConflictException,
  UpdateItemCommand,
  type UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import { marshalled, unmarshalled } from '../../functions/adapters/marshalling.ts';
import { feedChangesKey } from '../../lib/agents/agent-rows.ts';
import {
  type Page,
  type ReplayableRow,
  type ReplayPorts,
  type ReplayPosition,
  type ReplayRange,
  replayableTypes,
} from '../../lib/publish/replay.ts';
import { callsTable } from '../../lib/schema/tables.ts';
import type { Deployment } from '../connection/deployment.ts';

type Item = Parameters<typeof unmarshalled>[0];

/** Nothing of a person is read. */
const projection = {
  ProjectionExpression: 'pk, sk, #kind, #status, revision, account',
  ExpressionAttributeNames: { '#kind': 'kind', '#status': 'status' },
};

const inRange = 'recordedAt >= :from AND recordedAt < :to';

/** The rows of a range, from behind a place on: those of calls by reading the whole table, for no index has them all. */
export const replayPages = (deployment: Deployment) =>
  async function* (range: ReplayRange, after: ReplayPosition | undefined): AsyncGenerator<Page> {
    const isWanted = (table: ReplayPosition['table']) =>
      range.types.length === 0 || replayableTypes[table].some((type) => range.types.includes(type));
    if (after?.table !== 'agents' && isWanted('calls')) yield* callPages(deployment, range, after?.key);
    if (isWanted('agents')) yield* feedPages(deployment, range);
  };

async function* callPages(
  { dynamodb, tables }: Deployment,
  { from, to, account }: ReplayRange,
  after: ReplayPosition['key'],
): AsyncGenerator<Page> {
  const kinds = Object.fromEntries(callsTable.published.map((kind) => [`:${kind}`, kind]));
  const ofKinds = `#kind IN (${Object.keys(kinds).join(', ')})`;
  const scan: ScanCommandInput = {
    TableName: tables.calls,
    ...projection,
    FilterExpression: [ofKinds, inRange, ...(account === undefined ? [] : ['account = :account'])].join(' AND '),
    ExpressionAttributeValues: marshalled({ ...kinds, ':from': from, ':to': to, ':account': account }),
  };
  let key = after && marshalled(after);
  do {
    const page = await dynamodb.send(new ScanCommand({ ...scan, ...(key && { ExclusiveStartKey: key }) }));
    key = page.LastEvaluatedKey;
    const place: ReplayPosition = key === undefined ? { table: 'agents' } : { table: 'calls', key: replayRow(key) };
    yield { table: 'calls', rows: (page.Items ?? []).map(replayRow), read: page.ScannedCount ?? 0, position: place };
  } while (key !== undefined);
}

/** What became of a feed is little, and all in one partition. */
async function* feedPages(
  { dynamodb, tables, accounts }: Deployment,
  { from, to, account }: ReplayRange,
): AsyncGenerator<Page> {
  const names = account === undefined ? (await accounts()).all.map(({ userName }) => userName) : [account];
  for (const name of names) {
    let key: Item | undefined;
    do {
      const query = new QueryCommand({
        TableName: tables.agents,
        ...projection,
        KeyConditionExpression: 'pk = :pk',
        FilterExpression: inRange,
        ExpressionAttributeValues: marshalled({ ':pk': feedChangesKey(name), ':from': from, ':to': to }),
        ...(key && { ExclusiveStartKey: key }),
      });
      const page = await dynamodb.send(query);
      key = page.LastEvaluatedKey;
      const rows = (page.Items ?? []).map(replayRow);
      yield { table: 'agents', rows, read: page.ScannedCount ?? 0, position: { table: 'agents' } };
    } while (key !== undefined);
  }
}

const replayRow = (item: Item): ReplayableRow => {
  const { pk, sk, ...row } = unmarshalled(item);
  return { ...row, pk: String(pk), sk: String(sk) };
};

const maxRetries = 5;
const pauseMs = 200;

/**
 * Marks a row, unless it is gone or tells of another revision by now, of which the publisher has heard. A delivery that
 * changed nothing does not matter: the event is made of what the row says when it is marked.
 */
export const markForReplay = ({
  dynamodb,
  tables,
}: Pick<Deployment, 'dynamodb' | 'tables'>): ReplayPorts['markForReplay'] => {
  const mark = async (input: UpdateItemCommandInput, left: number): Promise<'replayed' | 'skipped'> => {
    try {
      await dynamodb.send(new UpdateItemCommand(input));
      return 'replayed';
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return 'skipped';
      // Somebody else's transaction has the row for a moment.
      if (!(error instanceof TransactionConflictException) || left === 0) throw error;
      await pause(pauseMs);
      return mark(input, left - 1);
    }
  };
  return (table, { pk, sk, revision }, replayedAt) => {
    const isSame = revision === undefined ? 'attribute_exists(pk)' : 'revision = :revision';
    const input = {
      TableName: tables[table],
      Key: marshalled({ pk, sk }),
      UpdateExpression: 'SET replayedAt = :replayedAt',
      ConditionExpression: isSame,
      ExpressionAttributeValues: marshalled({ ':replayedAt': replayedAt, ':revision': revision }),
    };
    return mark(input, maxRetries);
  };
};

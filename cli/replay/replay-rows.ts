import { setTimeout as pause } from 'node:timers/promises';
import {
  type AttributeValue,
  paginateQuery,
  paginateScan,
  TransactionConflictException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { feedChangesKey } from '../../lib/agents/rows.ts';
import { recordingKind } from '../../lib/recordings/schema.ts';
import { type KeyedRow, marshalled, unmarshalled } from '../../lib/storage/rows.ts';
import { callsTable } from '../../lib/storage/tables.ts';
import type { Deployment } from '../frame/deployment.ts';
import { accountNames } from '../frame/reader.ts';
import { type DeployedTables, isWritten } from '../frame/rows.ts';
import type { Terminal } from '../frame/terminal.ts';
import { type Page, type Replay, type ReplayPosition, type ReplayRange, replayableTypes } from './replay-pages.ts';

/** The publisher gets no rows of recordings where that feature is off, nor any from the time before. */
export const publishesRecordings = ({ recordings }: Pick<Deployment, 'recordings'>): boolean =>
  recordings !== undefined;

const projection = {
  ProjectionExpression: 'pk, sk, #kind, #status, revision, account',
  ExpressionAttributeNames: { '#kind': 'kind', '#status': 'status' },
};

const inRange = 'recordedAt >= :from AND recordedAt < :to';

/** The rows of a range, from a position on. Calls take a scan of the whole table: no index has all of their rows. */
export async function* replayPages(
  deployment: Deployment,
  terminal: Pick<Terminal, 'note'>,
  range: ReplayRange,
  begin: ReplayPosition,
): AsyncGenerator<Page> {
  const hasSelected = (table: ReplayPosition['table']) =>
    range.types.length === 0 || replayableTypes[table].some((type) => range.types.includes(type));
  if (begin.table === 'calls' && hasSelected('calls')) yield* callPages(deployment, range, begin.key);
  if (hasSelected('agents')) yield* feedPages(deployment, range, terminal);
}

async function* callPages(
  deployment: Deployment,
  { from, to, account }: ReplayRange,
  after: ReplayPosition['key'],
): AsyncGenerator<Page> {
  const { dynamodb, tables } = deployment;
  const published = [...callsTable.published, ...(publishesRecordings(deployment) ? [recordingKind] : [])];
  const kinds = Object.fromEntries(published.map((kind) => [`:${kind}`, kind]));
  const ofKinds = `#kind IN (${Object.keys(kinds).join(', ')})`;
  const scan = {
    TableName: tables.calls,
    ...projection,
    FilterExpression: [ofKinds, inRange, ...(account === undefined ? [] : ['account = :account'])].join(' AND '),
    ExpressionAttributeValues: marshalled({ ...kinds, ':from': from, ':to': to, ':account': account }),
  };
  const pages = paginateScan({ client: dynamodb, startingToken: after && marshalled(after) }, scan);
  for await (const { Items = [], ScannedCount: read = 0, LastEvaluatedKey: key } of pages) {
    const position: ReplayPosition = key === undefined ? { table: 'agents' } : { table: 'calls', key: replayRow(key) };
    yield { table: 'calls', rows: Items.map(replayRow), read, position };
  }
}

async function* feedPages(
  deployment: Deployment,
  { from, to, account }: ReplayRange,
  { note }: Pick<Terminal, 'note'>,
): AsyncGenerator<Page> {
  const { dynamodb, tables } = deployment;
  for (const name of await accountNames(deployment, account, note)) {
    const query = {
      TableName: tables.agents,
      ...projection,
      KeyConditionExpression: 'pk = :pk',
      FilterExpression: inRange,
      ExpressionAttributeValues: marshalled({ ':pk': feedChangesKey(name), ':from': from, ':to': to }),
    };
    for await (const { Items = [], ScannedCount: read = 0 } of paginateQuery({ client: dynamodb }, query))
      yield { table: 'agents', rows: Items.map(replayRow), read, position: { table: 'agents' } };
  }
}

const replayRow = (item: Record<string, AttributeValue>): KeyedRow => {
  const { pk, sk, ...row } = unmarshalled(item);
  return { ...row, pk: String(pk), sk: String(sk) };
};

const maxRetries = 5;
const pauseMs = 200;

/** Marks a row unless it was deleted or revised meanwhile. The event comes from the row as it is then marked. */
export const markForReplay =
  ({ dynamodb, tables }: DeployedTables, replayedAt: string): Replay['mark'] =>
  async (table, { pk, sk, revision }) => {
    const mark = new UpdateItemCommand({
      TableName: tables[table],
      Key: marshalled({ pk, sk }),
      UpdateExpression: 'SET replayedAt = :replayedAt',
      ConditionExpression: revision === undefined ? 'attribute_exists(pk)' : 'revision = :revision',
      ExpressionAttributeValues: marshalled({ ':replayedAt': replayedAt, ':revision': revision }),
    });
    for (let retry = 0; ; retry += 1)
      try {
        return (await isWritten(dynamodb.send(mark))) ? 'replayed' : 'skipped';
      } catch (error) {
        // Another transaction holds the row for a moment.
        if (!(error instanceof TransactionConflictException) || retry === maxRetries) throw error;
        await pause(pauseMs);
      }
  };

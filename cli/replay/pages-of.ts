import { QueryCommand, ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb';
import { marshalled, unmarshalled } from '../../functions/adapters/marshalling.ts';
import { callsTable } from '../../lib/contract/tables.ts';
import { feedChangesKey } from '../../lib/floor/keys.ts';
import type { Place } from '../../lib/replay/place.ts';
import type { Page, ToldRow } from '../../lib/replay/replay.ts';
import type { ReplayRange } from '../../lib/replay/replay-range.ts';
import { replayableTypes } from '../../lib/replay/replayable.ts';
import type { Deployment } from '../connection/deployment.ts';

type Item = Parameters<typeof unmarshalled>[0];

/** Nothing of a person is read. */
const projection = {
  ProjectionExpression: 'pk, sk, #kind, #status, revision, account',
  ExpressionAttributeNames: { '#kind': 'kind', '#status': 'status' },
};

const inRange = 'recordedAt >= :from AND recordedAt < :to';

/** The rows of a range, from behind a place on: those of calls by reading the whole table, for no index has them all. */
export const pagesOf = (deployment: Deployment) =>
  async function* (range: ReplayRange, after: Place | undefined): AsyncGenerator<Page> {
    const isWanted = (table: Place['table']) =>
      range.types.length === 0 || replayableTypes[table].some((type) => range.types.includes(type));
    if (after?.table !== 'agents' && isWanted('calls')) yield* pagesOfCalls(deployment, range, after?.key);
    if (isWanted('agents')) yield* pagesOfFeeds(deployment, range);
  };

async function* pagesOfCalls(
  { dynamodb, tables }: Deployment,
  { from, to, account }: ReplayRange,
  after: Place['key'],
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
    const place: Place = key === undefined ? { table: 'agents' } : { table: 'calls', key: toldRow(key) };
    yield { table: 'calls', rows: (page.Items ?? []).map(toldRow), read: page.ScannedCount ?? 0, place };
  } while (key !== undefined);
}

/** What became of a feed is little, and all in one partition. */
async function* pagesOfFeeds(
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
      const rows = (page.Items ?? []).map(toldRow);
      yield { table: 'agents', rows, read: page.ScannedCount ?? 0, place: { table: 'agents' } };
    } while (key !== undefined);
  }
}

const toldRow = (item: Item): ToldRow => {
  const { pk, sk, ...row } = unmarshalled(item);
  return { ...row, pk: String(pk), sk: String(sk) };
};

import { GetItemCommand, ScanCommand, type ScanCommandInput } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { marshalled, unmarshalled } from '../functions/adapters/marshalling.ts';
import { QuarantineEntry } from '../lib/callback/parked.ts';
import type { QuarantinedEntry } from '../lib/callback/redrive-quarantined.ts';
import { rejectionResponses } from '../lib/callback/rejections.ts';
import { withoutUndefined } from '../lib/core/objects.ts';
import type { Deployment } from './connection/deployment.ts';
import { Problem } from './problem.ts';

/** Which entries are meant; all of them, if nothing is said. */
export interface EntryFilter {
  readonly account?: string | undefined;
  readonly reason?: string | undefined;
  readonly since?: string | undefined;
}

type QuarantineTable = Pick<Deployment, 'dynamodb' | 'tables'>;

const Row = QuarantineEntry.extend({ id: z.string() });

const parseEntry = (item: Parameters<typeof unmarshalled>[0]): QuarantinedEntry => {
  const row = Row.safeParse(unmarshalled(item));
  if (!row.success) throw new Problem(`The row ${item['id']?.S} of quarantine is not as Callfeed writes it.`);
  const { id, ...entry } = row.data;
  return { id, entry };
};

/** Each condition by the value that it needs. The rows that count strangers' posts have no reason. */
const conditions = {
  account: 'account = :account',
  reason: '#reason = :reason',
  since: 'receivedAt >= :since',
} as const;

const filterFor = (wanted: EntryFilter) => {
  const given = withoutUndefined({ account: wanted.account, reason: wanted.reason, since: wanted.since });
  const named = (['account', 'reason', 'since'] as const).filter((name) => given[name] !== undefined);
  const values = Object.fromEntries(named.map((name) => [`:${name}`, given[name]]));
  return {
    FilterExpression: ['attribute_exists(#reason)', ...named.map((name) => conditions[name])].join(' AND '),
    ExpressionAttributeNames: { '#reason': 'reason' },
    ...(named.length > 0 && { ExpressionAttributeValues: marshalled(values) }),
  };
};

/** Pages of the entries that are wanted, in no order; `onRead` is told how many rows were looked at so far. */
export async function* scanEntries(
  { dynamodb, tables }: QuarantineTable,
  wanted: EntryFilter,
  onRead: (rows: number) => void,
): AsyncGenerator<readonly QuarantinedEntry[]> {
  const scan: ScanCommandInput = { TableName: tables.quarantine, ConsistentRead: true, ...filterFor(wanted) };
  let after: ScanCommandInput['ExclusiveStartKey'];
  let read = 0;
  do {
    const page = await dynamodb.send(new ScanCommand({ ...scan, ...(after && { ExclusiveStartKey: after }) }));
    read += page.ScannedCount ?? 0;
    onRead(read);
    yield (page.Items ?? []).map(parseEntry);
    after = page.LastEvaluatedKey;
  } while (after !== undefined);
}

/** One entry, if it is there. */
export const getEntry = async (
  { dynamodb, tables }: QuarantineTable,
  id: string,
): Promise<QuarantinedEntry | undefined> => {
  const get = new GetItemCommand({ TableName: tables.quarantine, Key: marshalled({ id }), ConsistentRead: true });
  const { Item } = await dynamodb.send(get);
  return Item === undefined || Item['reason'] === undefined ? undefined : parseEntry(Item);
};

/** For what posts and records are kept: what is refused otherwise is not. */
export const quarantineReasons: readonly string[] = Object.entries(rejectionResponses)
  .filter(([, { status }]) => status === 400)
  .map(([reason]) => reason);

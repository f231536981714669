import { paginateScan, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import * as z from 'zod';
import { rejectionResponses } from '../../lib/callback/reply.ts';
import { QuarantineEntry } from '../../lib/callback/schema.ts';
import { withoutUndefined } from '../../lib/core/collections.ts';
import { marshalled, type Row, unmarshalled } from '../../lib/storage/rows.ts';
import { Problem } from '../frame/problem.ts';
import { type DeployedTables, isWritten, rowAt } from '../frame/rows.ts';
import { callIn, type QuarantinedEntry } from './redrive-quarantined.ts';

export interface EntryFilter {
  readonly isDismissed?: boolean | undefined;
  readonly account?: string | undefined;
  readonly reason?: string | undefined;
  readonly since?: string | undefined;
}

const dismissal = { dismissedAt: z.string().optional(), dismissedBecause: z.string().optional() };
const EntryRow = z.object({ ...QuarantineEntry.shape, ...dismissal, id: z.string() });

export interface StoredEntry extends QuarantinedEntry {
  readonly dismissal: { readonly dismissedAt?: string | undefined; readonly dismissedBecause?: string | undefined };
}

const parseEntry = (stored: Row): StoredEntry => {
  const row = EntryRow.safeParse(stored);
  if (!row.success)
    throw new Problem(`Callfeed did not write the row ${stored['id']} of quarantine: it has another shape.`);
  const { id, dismissedAt, dismissedBecause, ...entry } = row.data;
  return { id, entry, dismissal: withoutUndefined({ dismissedAt, dismissedBecause }) };
};

export const notDismissed = 'attribute_not_exists(dismissedAt)';

/** Selects entries of known senders: the opposite of `isUnknownSender`, as a condition. */
export const ofKnownSender = '(attribute_exists(account) OR attribute_exists(viaSecret))';

const filterFor = ({ account, reason, since, isDismissed }: EntryFilter) => {
  const given = [
    ...(account === undefined ? [] : ['account = :account']),
    ...(reason === undefined ? [] : ['#reason = :reason']),
    ...(since === undefined ? [] : ['receivedAt >= :since']),
  ];
  const values = marshalled({ ':account': account, ':reason': reason, ':since': since });
  return {
    // An earlier version has left rows without a reason, which only count, until they expire.
    FilterExpression: [
      'attribute_exists(#reason)',
      ...(isDismissed === undefined ? [] : [isDismissed ? 'attribute_exists(dismissedAt)' : notDismissed]),
      ...given,
    ].join(' AND '),
    ExpressionAttributeNames: { '#reason': 'reason' },
    ...(given.length > 0 && { ExpressionAttributeValues: values }),
  };
};

/** Pages of matching entries, in no order. Before each, `onRead` gets the number of rows read so far, and whether these are all. */
export async function* scanEntries(
  { dynamodb, tables }: DeployedTables,
  filter: EntryFilter,
  onRead: (rows: number, isWhole: boolean) => void = () => undefined,
): AsyncGenerator<readonly StoredEntry[]> {
  const scan = { TableName: tables.quarantine, ConsistentRead: true, ...filterFor(filter) };
  let read = 0;
  for await (const { Items = [], ScannedCount = 0, LastEvaluatedKey } of paginateScan({ client: dynamodb }, scan)) {
    read += ScannedCount;
    onRead(read, LastEvaluatedKey === undefined);
    yield Items.map((item) => parseEntry(unmarshalled(item)));
  }
}

export const getEntry = async (deployment: DeployedTables, id: string): Promise<StoredEntry | undefined> => {
  const row = await rowAt(deployment, deployment.tables.quarantine, { id });
  return row?.['reason'] === undefined ? undefined : parseEntry(row);
};

/** Reasons for which a request or a stranger's post is not stored. Neither is a post while a service is down (503). */
const neverStored: readonly string[] = ['not-found', 'method-not-allowed', 'callback-secret-wrong', 'key-missing'];

export const dismissEntry = async (
  { dynamodb, tables }: DeployedTables,
  id: string,
  { at, because }: { readonly at: string; readonly because: string },
): Promise<boolean> => {
  const update = new UpdateItemCommand({
    TableName: tables.quarantine,
    Key: marshalled({ id }),
    UpdateExpression: 'SET dismissedAt = :at, dismissedBecause = :because',
    ConditionExpression: 'attribute_exists(#reason)',
    ExpressionAttributeNames: { '#reason': 'reason' },
    ExpressionAttributeValues: marshalled({ ':at': at, ':because': because }),
  });
  return await isWritten(dynamodb.send(update));
};

/** Posts of the service that are not about calls, such as screen pops: nobody has to do anything about them. */
export const harmlessReason = 'not-a-call-summary';

/** Whether nobody has to do anything about an entry. An earlier release took some calls for such posts. */
export const isHarmless = (entry: QuarantineEntry, call?: ReturnType<typeof callIn>): boolean =>
  entry.reason === harmlessReason && (call ?? callIn(entry)) === 'none';

export const quarantineReasons: readonly string[] = Object.entries(rejectionResponses)
  .filter(([reason, { status }]) => status !== 503 && !neverStored.includes(reason))
  .map(([reason]) => reason);

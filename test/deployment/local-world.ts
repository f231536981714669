import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { _Record as StreamRecord, AttributeValue as StreamValue } from '@aws-sdk/client-dynamodb-streams';
import * as z from 'zod';
import type { RowChange } from '../../lib/publish/events-of-change.ts';
import { marshalled, type Row, unmarshalled } from '../../lib/storage/rows.ts';
import { callsTable } from '../../lib/storage/tables.ts';
import type { Answer, Handle } from '../../sandbox/http/serve.ts';
import { lambdaImage } from '../../sandbox/stream/shard.ts';
import { createEnvironment, type WorldOptions } from './environment.ts';
import type { LocalTables } from './local-dynamodb.ts';
import { type Item, keysIn, type Place, writtenKeys } from './memory-dynamodb/requests.ts';
import { createStreams, worldTables } from './memory-world.ts';

type TableName = keyof typeof worldTables;

/**
 * The functions as deployed over tables in DynamoDB Local. A world sees only what it wrote itself. The name is that of its
 * only account; the keys of all its streamed rows begin with it.
 */
export const createLocalWorld = (
  tables: LocalTables,
  { name, ...options }: WorldOptions & { readonly name: string },
) => {
  const streams = createStreams(worldTables);
  const forwardStreams = createStreams({ calls: callsTable });
  const changes: RowChange[] = [];
  const stopFollowing = tables.follow(name, (table, record) => {
    changes.push(changeIn(record));
    streams.take(table, record);
    forwardStreams.take(table, record);
  });
  const places = new Map<string, Place>();
  const names = ['calls', 'quarantine', 'agents'] as const;
  const declarations = Object.fromEntries(names.map((table) => [tables.nameOf(table), worldTables[table]]));
  const env = {
    CALLS_TABLE: tables.nameOf('calls'),
    QUARANTINE_TABLE: tables.nameOf('quarantine'),
    AGENTS_TABLE: tables.nameOf('agents'),
    ...options.env,
  };
  const note = (place: Place): void => {
    places.set(JSON.stringify(place), place);
  };
  const noting: Handle = async (request) => {
    const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    writtenKeys(declarations, operation, JSON.parse(request.body.toString())).forEach(note);
    return tables.handle(request);
  };
  const written = (table: TableName): readonly Place[] =>
    [...places.values()].filter((place) => place.table === tables.nameOf(table));

  return {
    ...createEnvironment(serialised(noting), { ...options, env }),
    /** The records of the tables’ real streams, complete once `caughtUp` has resolved. */
    ...{ streams, forwardStreams },
    async caughtUp() {
      await tables.caughtUp(
        name,
        names.filter((table) => written(table).length > 0),
      );
    },
    /** Every change in the streams; those of a table are in order. */
    changes: (): readonly RowChange[] => changes,
    /** The rows of a table, or those with certain keys. */
    rows: async (table: TableName, includes: (keys: Item) => boolean = () => true): Promise<readonly Row[]> =>
      (await tables.items(written(table).filter(({ keys }) => includes(keys)))).map(unmarshalled),
    async put(table: TableName, row: Row) {
      const item = marshalled(row);
      note({ table: tables.nameOf(table), keys: keysIn(item, worldTables[table].key) });
      await tables.put(table, item);
    },
    close: stopFollowing,
  };
};

export type LocalWorld = ReturnType<typeof createLocalWorld>;

/** Lambda’s type of an image differs from the SDK’s in binary values only, which our rows do not have. */
const Image = z.record(z.string(), z.custom<AttributeValue>());

const rowIn = (image: Readonly<Record<string, StreamValue>> | undefined): Row | undefined =>
  image && unmarshalled(Image.parse(lambdaImage(image)));

const changeIn = ({ dynamodb: { SequenceNumber = '', OldImage, NewImage } = {} }: StreamRecord): RowChange => ({
  sequence: SequenceNumber,
  before: rowIn(OldImage),
  after: rowIn(NewImage),
});

/** Answers concurrent requests one after the other, so that a run can be repeated. */
const serialised = (handle: Handle): Handle => {
  let last: Promise<unknown> = Promise.resolve();
  return (request): Promise<Answer> => {
    const answer = last.then(() => handle(request));
    last = answer.catch(() => undefined);
    return answer;
  };
};

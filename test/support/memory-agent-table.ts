import type { AgentTable, RowKey } from '../../lib/agents/agent-rows.ts';
import { canonicalJson } from '../../lib/core/canonical-json.ts';
import type { Facts } from '../../lib/core/objects.ts';
import type { RowChange } from '../../lib/publish/row-change.ts';
import { asStored, checkKeys, checkTransaction, nameOf, type RowWrite, rejectIf } from './dynamodb-limits.ts';

/** What a test may do with the table while it is used. */
export interface MemoryAgentTableOptions {
  /**
   * Called before and after each read and each effect, as `before write`, `after write`, `before put` and so on. Rows
   * that are put or removed together are an effect each, so what it throws can cut the work anywhere.
   */
  readonly onCall?: (operation: string) => void | Promise<void>;
  /** The order in which rows that are put or removed together take effect: none is promised. */
  readonly order?: <Item>(items: readonly Item[]) => readonly Item[];
}

/** Rows hold what JSON holds, and to copy them so is quicker than `structuredClone`. */
const copyOf = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

const putOf = (row: Facts & RowKey): RowWrite => ({ pk: row.pk, sk: row.sk, row: asStored(row) });
const removalOf = ({ pk, sk }: RowKey): RowWrite => ({ pk, sk, row: undefined });

/** The order of DynamoDB: by bytes, which differs from JavaScript's beyond the basic plane. */
const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** An agents' table in memory, which refuses what DynamoDB refuses, and knows the stream that DynamoDB would give. */
export const memoryAgentTable = ({ onCall, order = (items) => items }: MemoryAgentTableOptions = {}) => {
  const stored = new Map<string, { readonly key: RowKey; readonly row: Facts }>();
  const stream: RowChange[] = [];

  const around = async <Outcome>(operation: string, effect: () => Outcome): Promise<Outcome> => {
    await onCall?.(`before ${operation}`);
    const outcome = effect();
    await onCall?.(`after ${operation}`);
    return outcome;
  };

  const apply = (change: RowWrite) => {
    const { pk, sk, row: after } = change;
    const before = stored.get(nameOf(change))?.row;
    if (after === undefined) stored.delete(nameOf(change));
    else stored.set(nameOf(change), { key: { pk, sk }, row: after });
    if (canonicalJson(before ?? null) === canonicalJson(after ?? null)) return;
    stream.push({ sequence: String(stream.length + 1).padStart(12, '0'), before, after });
  };

  const applyEach = async (operation: string, changes: readonly RowWrite[]) => {
    checkKeys(changes);
    for (const change of order(changes)) await around(operation, () => apply(change));
  };

  const copied = (isAsked: (key: RowKey) => boolean = () => true): readonly Facts[] =>
    copyOf(
      [...stored.values()]
        .filter(({ key }) => isAsked(key))
        .sort((a, b) => byBytes(a.key.pk, b.key.pk) || byBytes(a.key.sk, b.key.sk))
        .map(({ row }) => row),
    );

  const table: AgentTable = {
    async query(pk, between) {
      rejectIf(between?.from === '' || between?.to === '', 'A bound is empty');
      rejectIf(between !== undefined && byBytes(between.from, between.to) > 0, 'The bounds are the wrong way round');
      const isWithin = (sk: string) =>
        between === undefined || (byBytes(between.from, sk) <= 0 && byBytes(sk, between.to) <= 0);
      return around('rows', () => copied((key) => key.pk === pk && isWithin(key.sk)));
    },
    async write(guard, together = { puts: [], removes: [] }) {
      const changes = [guard, ...together.puts].map(putOf).concat(together.removes.map(removalOf));
      checkKeys(changes);
      checkTransaction(changes);
      return around('write', () => {
        const version = stored.get(nameOf(guard))?.row['version'];
        const isNext = guard.version === 1 ? !stored.has(nameOf(guard)) : version === guard.version - 1;
        if (!isNext) return 'conflict';
        changes.forEach(apply);
        return 'written';
      });
    },
    put: async (rows) => applyEach('put', rows.map(putOf)),
    remove: async (keys) => applyEach('remove', keys.map(removalOf)),
  };

  return {
    ...table,
    /** Every row, by partition and sort key. */
    all: () => copied(),
    /** Every change of a row so far, in order, as the table's stream tells it. */
    changes: (): readonly RowChange[] => copyOf(stream),
  };
};

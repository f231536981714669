import type { InstantRange } from '../../client/arguments.ts';
import type { CallDetails } from '../../client/calls.ts';
import { type CallfeedClient, type ListedCall, UnreadableRow } from '../../client/index.ts';
import { tableKey } from '../../client/query-keys.ts';
import type { QueryPage, TableReader } from '../../client/table-reader.ts';
import { afterSnapshot, snapshotsKey } from '../../lib/agents/rows.ts';
import { erased } from '../../lib/calls/call-keys.ts';
import { batches, compare } from '../../lib/core/collections.ts';
import type { Row } from '../../lib/storage/rows.ts';
import { unknownWords } from '../../lib/telephony/vocabularies.ts';

export interface UnknownItem {
  readonly field: string;
  readonly word: string | undefined;
}

interface Sighting extends UnknownItem {
  readonly in: 'call' | 'participant' | 'agent';
  /** The first and the last start of such a call, or the times at which agents were seen so (ISO instants). */
  readonly first: string;
  readonly last: string;
  readonly example: string;
}

export interface FoundWord extends Sighting {
  /** Calls and participants that have it; of agents, the states of agents. */
  readonly records: number;
  /** What was sent: several words or fields, where they are hidden and look alike. */
  readonly sent: Set<string>;
}

type OnFound = (found: Sighting) => void;

/** Adds up what is found by how it is shown. */
export const findingsAs = (shown: (item: UnknownItem) => UnknownItem) => {
  const findings = new Map<string, FoundWord>();
  const add: OnFound = (found) => {
    const item = shown(found);
    const key = JSON.stringify([found.in, item.field, item.word ?? null]);
    const before = findings.get(key) ?? { ...found, ...item, records: 0, sent: new Set() };
    const { last, example } = found.last > before.last ? found : before;
    const first = found.first < before.first ? found.first : before.first;
    const sent = before.sent.add(found.word ?? found.field);
    findings.set(key, { ...before, first, last, example, records: before.records + 1, sent });
  };
  const order = (a: FoundWord, b: FoundWord) =>
    Number(a.word === undefined) - Number(b.word === undefined) ||
    b.records - a.records ||
    compare(`${a.in} ${a.field} ${a.word}`, `${b.in} ${b.field} ${b.word}`);
  return { add, sorted: () => [...findings.values()].sort(order) };
};

/** The items of a record, its legs and its deliveries' differences, each once. `erased` is none: it replaces a person's data. */
export const unknownItems = (record: Row): readonly UnknownItem[] => {
  const parts = [
    record,
    ...partsOf(record['legs']),
    ...partsOf(record['deliveries']).flatMap(({ differences }) =>
      partsOf(differences).map((difference) => ({ ...record, ...difference })),
    ),
  ];
  const items = parts.flatMap((part): readonly UnknownItem[] => [
    ...unknownWords(part).filter(({ word }) => word !== erased),
    ...partsOf(part['extra']).flatMap((extra) => Object.keys(extra).map((field) => ({ field, word: undefined }))),
  ]);
  return [...new Map(items.map((item) => [JSON.stringify([item.field, item.word ?? null]), item])).values()];
};

const partsOf = (value: unknown): readonly Row[] =>
  [value].flat().flatMap((part) => (typeof part === 'object' && part !== null ? [{ ...part }] : []));

/** Rows that are read side by side: each call is a query of its own. */
const concurrency = 16;

export async function* readCalls(
  client: CallfeedClient,
  range: InstantRange,
  onFound: OnFound,
): AsyncGenerator<{ readonly calls: number; readonly unreadable: readonly string[] }, void> {
  const readCall = async ({ callId, listedAt }: ListedCall): Promise<readonly string[]> => {
    try {
      for (const { place, record } of recordsOf(await client.call(callId)))
        for (const item of unknownItems(record))
          onFound({ ...item, in: place, first: listedAt, last: listedAt, example: callId });
      return [];
    } catch (error) {
      if (error instanceof UnreadableRow) return [`${callId}: ${error.message}`];
      throw error;
    }
  };
  for await (const { calls } of client.calls(range).pages(concurrency * 10))
    for (const batch of batches(calls, ({ length }) => length < concurrency))
      yield { calls: batch.length, unreadable: (await Promise.all(batch.map(readCall))).flat() };
}

const recordsOf = (details: CallDetails | undefined) => [
  ...(details?.call === undefined ? [] : [{ place: 'call' as const, record: details.call }]),
  ...(details?.participants ?? []).map((record) => ({ place: 'participant' as const, record })),
];

/** Reads the snapshots of agents that are valid in a range, and yields each page's number. An agent's state counts once. */
export async function* readSnapshots(
  table: TableReader,
  { account, from, to }: Readonly<Record<'account' | 'from' | 'to', string>>,
  onFound: OnFound,
): AsyncGenerator<number, void> {
  const states = new Map<string, Sighting>();
  const see = (agent: Row, at: string) => {
    const example = String(agent['agentId']);
    const first = String(agent['since']);
    for (const item of unknownItems(agent))
      states.set(JSON.stringify([example, first, item]), { ...item, in: 'agent', first, last: at, example });
  };

  const partition = { ...tableKey, partition: snapshotsKey(account) };
  const before = await table.page({ ...partition, to: afterSnapshot(from), isBackwards: true }, { limit: 1 });
  const begin = String(before.rows[0]?.['at'] ?? from);
  let after: QueryPage['next'];
  do {
    const { rows, next } = await table.page({ ...partition, from: begin, to: afterSnapshot(to) }, { after });
    for (const row of rows) for (const agent of partsOf(row['agents'])) see(agent, String(row['at']));
    yield rows.length;
    after = next;
  } while (after !== undefined);
  for (const state of states.values()) onFound(state);
}

import { canonicalJson } from '../../lib/json/canonical-json.ts';
import type { Facts } from '../../lib/record/delivery.ts';
import { agentEntriesOf, recordOf } from '../../lib/record/row.ts';
import { partitionKey, rowKey } from '../../lib/record/row-keys.ts';
import { type Ledger, nameOf } from './ledger.ts';
import { proveRow } from './prove-row.ts';

const placeOf = ({ pk, sk }: Facts): string => `${pk} / ${sk}`;

/** Entries of the indexes must be there for every further agent of every call, and for nobody else. */
const proveEntries = (records: readonly Facts[], entries: readonly Facts[]): readonly string[] => {
  const due = new Map(
    records.flatMap((row) => agentEntriesOf(recordOf(row), row)).map((entry) => [placeOf(entry), canonicalJson(entry)]),
  );
  const found = new Map(entries.map((entry) => [placeOf(entry), canonicalJson(entry)]));

  return [
    ...[...due].flatMap(([place, entry]) =>
      found.get(place) === entry
        ? []
        : [`The entry of a further agent, ${place}, is missing or not what the row says.`],
    ),
    ...[...found.keys()].flatMap((place) =>
      due.has(place) ? [] : [`There is an entry of a further agent, ${place}, whom no call names.`],
    ),
  ];
};

/** Compares the calls' table with what was posted: what was acknowledged is there, and nothing that never was posted. */
export const proveRows = ({ records, callIds }: Ledger, rows: readonly Facts[]): readonly string[] => {
  const [entries = [], found = []] = [true, false].map((isEntry) =>
    rows.filter(({ kind }) => (kind === 'agent-entry') === isEntry),
  );
  const rowAt = new Map(found.map((row) => [placeOf(row), row]));
  const partitions = new Set(found.map(({ pk }) => pk));
  const posted = new Set([...records.values()].map(({ key }) => placeOf(rowKey(key))));

  const missing = [...records.values()].flatMap((record) => {
    const row = rowAt.get(placeOf(rowKey(record.key)));
    if (row !== undefined) return proveRow(record, row);
    const isAcknowledged = [...record.deliveries.values()].some(({ acknowledgedAt }) => acknowledgedAt !== undefined);
    return isAcknowledged ? [`There is no row of ${nameOf(record.key)}, which was acknowledged.`] : [];
  });
  return [
    ...missing,
    ...[...rowAt.keys()].flatMap((place) =>
      posted.has(place) ? [] : [`There is a row, ${place}, of what was never posted.`],
    ),
    ...[...callIds].flatMap((callId) =>
      partitions.has(partitionKey('demo', callId))
        ? []
        : [`The call ${callId} was posted and acknowledged, and is not in the table.`],
    ),
    ...proveEntries(found, entries),
  ];
};

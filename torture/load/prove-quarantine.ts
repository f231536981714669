import { QuarantineEntry } from '../../lib/contract/quarantine-entry.ts';
import type { Facts } from '../../lib/record/delivery.ts';
import { entryName, type Ledger } from './ledger.ts';

/** A minute's row counts strangers' posts, and is no entry. */
const isCounter = ({ kept }: Facts): boolean => kept !== undefined;

/**
 * Compares quarantine with what was said to be in it. An account's is one row however often it came, a stranger's one
 * for each time; what was sent and not answered may be there too.
 */
export const proveQuarantine = ({ entries }: Ledger, rows: readonly Facts[]): readonly string[] => {
  const found = Map.groupBy(
    rows.filter((row) => !isCounter(row)),
    (row) => entryName(QuarantineEntry.parse(row)),
  );
  const about = (name: string): string => `The quarantined ${name.slice(0, 60)}`;

  return [
    ...[...entries].flatMap(([name, { isStrangers, sent, told }]) => {
      const count = found.get(name)?.length ?? 0;
      const [least, most] = isStrangers ? [told, sent] : [Math.min(told, 1), Math.min(sent, 1)];
      return count >= least && count <= most
        ? []
        : [`${about(name)} is there ${count} times, where ${least} to ${most} were due.`];
    }),
    ...[...found.keys()].flatMap((name) => (entries.has(name) ? [] : [`${about(name)} was never posted.`])),
  ];
};

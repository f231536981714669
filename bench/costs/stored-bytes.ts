import { itemBytes } from '../../test/support/row-limits.ts';
import { type Counts, difference } from './counts.ts';
import { entryOf, type Item, type RowWrite } from './write-units.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.html#GSI.StorageConsiderations, and for rows alike. */
const overheadBytes = 100;

const secondsADay = 86_400;

/** By how much a write lets the table and its indexes grow. */
export const storedBytes = ({ table, before, after }: RowWrite, now: Date): Counts => {
  const held = (row: Item | undefined): Partial<Counts> => {
    const tableBytes = withOverhead(row);
    const indexBytes = table.indexes.reduce((bytes, index) => bytes + withOverhead(entryOf(table, index, row)), 0);
    const days = daysLeft(row, now);
    return { tableBytes, indexBytes, tableByteDays: tableBytes * days, indexByteDays: indexBytes * days };
  };
  return difference(held(after), held(before));
};

const withOverhead = (item: Item | undefined): number => (item === undefined ? 0 : itemBytes(item) + overheadBytes);

/** Of a row that never expires there is one for each agent, which is nothing beside those that add up. */
const daysLeft = (row: Item | undefined, now: Date): number =>
  row?.['expiresAt']?.N === undefined ? 0 : (Number(row['expiresAt'].N) - now.getTime() / 1000) / secondsADay;

import type { Item } from '../../functions/adapters/marshalling.ts';
import type { PastFloor } from '../../lib/contract/rows.ts';
import { afterFloor, floorsKey } from '../../lib/floor/keys.ts';
import type { Facts } from '../../lib/record/delivery.ts';
import { readPastFloor } from '../reading/row-readers.ts';
import { tableKey } from '../reading/table-keys.ts';
import type { TableReader } from '../reading/table-reader.ts';

/** DynamoDB removes rows up to days after they expire, one by one and in no order. */
const isExpired = ({ expiresAt }: Facts, now: Date): boolean =>
  typeof expiresAt === 'number' && expiresAt * 1000 <= now.getTime();

/**
 * The newest floor that was kept up to a moment, in its parts, of which the last is read first and says how many there
 * are: a floor of one part costs one row. A floor that lacks parts is just being kept and does not count yet, so the one
 * before it is taken. One that has expired is not there, whether removed or not: an older one would not be what was.
 */
export const readPastFloorAt = async (
  table: TableReader,
  account: string,
  { moment, now }: { readonly moment: string; readonly now: Date },
): Promise<readonly PastFloor[] | undefined> => {
  const query = { ...tableKey, partition: floorsKey(account), to: afterFloor(moment), isBackwards: true };
  let parts: readonly PastFloor[] = [];
  let after: Item | undefined;
  let missing = 1;
  do {
    const { rows, next } = await table.portion(query, { after, limit: missing });
    for (const row of rows) {
      if (isExpired(row, now)) return undefined;
      const part = readPastFloor(row);
      parts = part.at === parts[0]?.at ? [part, ...parts] : [part];
      if (parts.length === part.parts) return parts;
      missing = part.parts - parts.length;
    }
    after = next;
  } while (after !== undefined);
  return undefined;
};

import { factsOfText, renormaliseRow } from '../../../cli/renormalise/renormalise-row.ts';
import type { Account } from '../../../lib/accounts/accounts.ts';
import { recordOf } from '../../../lib/calls/call-row.ts';
import { decompressText } from '../../../lib/core/encoding.ts';
import type { Row, VersionedRows } from '../../../lib/storage/rows.ts';

const untouched: VersionedRows = {
  putNextVersion: async () => {
    throw new Error('A dry run writes nothing');
  },
};

const deriveAgain = renormaliseRow({
  rows: untouched,
  isDryRun: true,
  retentionDays: 730,
  clock: () => new Date('2026-12-01T00:00:00.000Z'),
});

/**
 * What is wrong with the texts that rows keep of their deliveries: each can be read, and what is read by the settings of then is what
 * the row has already. So nothing that was sent is lost to somebody who corrects a setting.
 */
export const misreadTexts = async (rows: readonly Row[], accounts: readonly Account[]): Promise<readonly string[]> => {
  const problems: string[] = [];
  for (const row of rows.filter(({ kind }) => kind === 'call' || kind === 'participant')) {
    const { key, deliveries } = recordOf(row);
    const account = accounts.find(({ userName }) => userName === key.account);
    if (account === undefined) throw new Error(`There is no account ${key.account}`);
    for (const { asSent, source, day } of deliveries) {
      const text = decompressText(asSent);
      if (factsOfText(key.kind, { text, source, day }, account) === undefined)
        problems.push(`What is kept of a delivery is no record: ${text.slice(0, 500)}`);
    }
    const { isWritten, changedFields } = await deriveAgain(row, account, AbortSignal.timeout(60_000));
    if (isWritten)
      problems.push(
        `Derived again, ${changedFields} of ${deliveries.map(({ asSent }) => decompressText(asSent))} change`,
      );
  }
  return problems;
};

import { expect, it } from 'vitest';
import { accountsKey } from '../../../lib/accounts/account-index.ts';
import { rowOf } from '../../../lib/calls/call-row.ts';
import { createCallfeedClient } from '../../../lib/client/index.ts';
import { startTestTables } from '../../support/dynamodb-local.ts';
import { numberCountries, numbersOf } from '../../support/numbers.ts';
import { callFacts, deliveryAt, recordFrom } from '../../support/posted-records.ts';
import { collected, fillTables } from './support/clients.ts';

it('2,000 numbers of 20 countries are found in the tables, in accounts of their countries', async () => {
  const tables = await startTestTables();
  const fill = fillTables(tables);
  const at = '2026-11-20T06:00:00.000Z';
  const rows = numberCountries.flatMap((account) =>
    numbersOf(account).flatMap(({ spellings }) =>
      spellings.map((customerNumber) => {
        const key = { kind: 'call' as const, account, callId: customerNumber };
        return rowOf(recordFrom([deliveryAt({ ...callFacts({}), customerNumber }, at)], key), 9);
      }),
    ),
  );
  const accounts = numberCountries.map((country) => ({
    ...{ userName: country, timeZone: 'UTC', country, isPolled: false },
  }));
  await fill.agents([{ ...accountsKey, kind: 'accounts', accounts }]);
  await fill.callRows(rows);

  const read = async (account: (typeof numberCountries)[number]) => {
    const client = createCallfeedClient({ dynamodb: tables.client, tables: tables.tableNames, account });
    for (const [index, { spellings, typed }] of numbersOf(account).entries()) {
      // Each is asked for in one of the spellings; `customer-calls.test.ts` shows that all ask for the same keys.
      const asked = [...spellings, ...typed][index % (spellings.length + typed.length)] ?? '';
      const found = await collected(client.callsOfCustomer(asked));
      expect(found.map(({ callId }) => callId).sort()).toEqual(spellings.toSorted());
    }
  };
  await Promise.all(numberCountries.map(read));
  await tables.stop();
});

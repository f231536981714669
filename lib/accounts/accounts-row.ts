import * as z from 'zod/mini';
import { type AgentsRow, type AgentTable, joinedKey, type Row, type RowKey, readRow } from '../storage/rows.ts';
import type { Telemetry } from '../telemetry/metrics.ts';
import { type Account, isPolled } from './accounts.ts';

/** What a reader of the tables may know of an account: not its keys. */
const NamedAccount = z.object({
  userName: z.string(),
  timeZone: z.string(),
  /** Whether its agents are polled, and its call report can be read. */
  isPolled: z.boolean(),
});

export type NamedAccount = Readonly<z.infer<typeof NamedAccount>>;

const AccountsRow = z.object({ accounts: z.array(NamedAccount) });

/** The row that names the accounts. No account has a blank name, so none has this partition. */
export const accountsKey: RowKey = { pk: joinedKey('', 'accounts'), sk: 'accounts' };

/** The accounts without their keys. */
export const namedAccounts = (all: readonly Account[]): readonly NamedAccount[] =>
  all.map((account) => ({
    userName: account.userName,
    timeZone: account.timeZone,
    isPolled: isPolled(account),
  }));

/** The accounts that a row names. Throws if something else wrote the row. */
export const accountsIn = (item: Row): readonly NamedAccount[] => readRow(AccountsRow, item).accounts;

/** The account with exactly this name: rows are kept under it. */
export const findAccount = (all: readonly NamedAccount[], name: string): NamedAccount | undefined =>
  all.find(({ userName }) => userName === name);

interface RecorderPorts {
  readonly table: Pick<AgentTable, 'put'>;
  readonly telemetry: Telemetry;
}

/**
 * Stores the names and time zones of the accounts whenever they change. So readers of the tables need no right to the
 * secret, which has every key. A failure is logged, and the next run tries again.
 */
export const accountsRecorder = ({ table, telemetry }: RecorderPorts) => {
  let recorded = '';
  return async (all: readonly Account[]): Promise<void> => {
    const accounts = namedAccounts(all);
    const text = JSON.stringify(accounts);
    if (text === recorded) return;
    const put: AgentsRow = { ...accountsKey, kind: 'accounts', accounts };
    try {
      await table.put([put]);
      recorded = text;
    } catch (error) {
      telemetry.fault('agent-store', error);
    }
  };
};

import type { LimitCounts } from './limit.ts';
import type { ServedAccount } from './served-account.ts';

/** What was asked for an account. Instants in milliseconds since the epoch. */
export interface AccountReport extends Pick<LimitCounts, 'requests' | 'offences' | 'requestTimes'> {
  readonly mostInAnyMinute: number;
  readonly agentsLoggedIn: number;
  readonly tokens: Pick<LimitCounts, 'requests' | 'offences' | 'requestTimes'> & {
    readonly generated: number;
    readonly mostInAnyHour: number;
  };
}

/** Who is logged in, without anything personal. */
export type AgentsReport = readonly {
  readonly agentId: string;
  readonly state: string;
  readonly skills: readonly string[];
}[];

const byName = <Value>(accounts: readonly ServedAccount[], tell: (account: ServedAccount) => Value) =>
  Object.fromEntries(accounts.map((account) => [account.userName, tell(account)]));

/** What was asked for each account. No key, no token. */
export const accountsReport = (
  accounts: readonly ServedAccount[],
  at: number,
): Readonly<Record<string, AccountReport>> =>
  byName(accounts, ({ loginsLimit, tokensLimit, tokens, floor }) => {
    const { mostInAnyWindow: mostInAnyMinute, ...logins } = loginsLimit.counts();
    const { mostInAnyWindow: mostInAnyHour, ...generations } = tokensLimit.counts();

    return {
      ...logins,
      mostInAnyMinute,
      agentsLoggedIn: floor.loggedInAt(at).length,
      tokens: { ...generations, mostInAnyHour, generated: tokens.generated() },
    };
  });

/** Who is logged in at each account. */
export const agentsReport = (accounts: readonly ServedAccount[], at: number): Readonly<Record<string, AgentsReport>> =>
  byName(accounts, ({ floor }) =>
    floor.loggedInAt(at).map(({ id, state, skills }) => ({ agentId: id, state, skills })),
  );

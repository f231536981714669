import type { PolledAccount } from '../agent-login/request.ts';
import { hasRoom, tokenBudget } from '../feed/budget.ts';
import type { PollFailure } from '../feed/problem.ts';
import { tokenKey } from '../floor/keys.ts';
import type { AgentTable, Clock, Telemetry, TelephonyService } from '../ports.ts';
import { fail, ok, type Result } from '../result.ts';
import { readToken, tokenRequest } from './token-exchange.ts';
import { noTokens, type TokenNotes, tokenIn, tokenNotesOf, tokenRow, withRequest, withToken } from './token-row.ts';

/** What tokens are had with. */
export interface TokenPorts {
  readonly table: AgentTable;
  readonly service: TelephonyService;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** The account's token, none where it needs none; another one than `refused`, if the service has just refused that. */
export type Bearer = (account: PolledAccount, refused?: string) => Promise<Result<string | undefined, PollFailure>>;

/** A token refused so soon after it was issued was not refused for its age: another would fare no better. */
const youngMs = 5 * 60_000;

/**
 * The bearer tokens of the accounts. A generated one is shared by all runs through the table, and so is the budget:
 * what is asked for is noted before it is sent.
 */
export const bearerTokens = (ports: TokenPorts): Bearer => {
  const { table, clock } = ports;
  const known = new Map<string, TokenNotes>();

  const read = async ({ userName }: PolledAccount): Promise<TokenNotes | undefined> => {
    const { pk, sk } = tokenKey(userName);
    const [row] = await table.rows(pk, { from: sk, to: sk });
    return row === undefined ? noTokens(userName) : tokenNotesOf(row);
  };

  const generated: Bearer = async (account, refused) => {
    const tokenOf = (notes: TokenNotes | undefined): string | undefined => {
      const token = notes && tokenIn(notes, account, clock());
      return token === refused ? undefined : token;
    };
    const remembered = tokenOf(known.get(account.userName));
    if (remembered !== undefined) return ok(remembered);

    const notes = await read(account);
    // Whoever wrote that row, how many tokens were had of late cannot be known from it.
    if (notes === undefined) return fail({ reason: 'no-token' });
    known.set(account.userName, notes);
    const shared = tokenOf(notes);
    if (shared !== undefined) return ok(shared);

    const ageMs = clock().getTime() - Date.parse(notes.issuedAt ?? '1970-01-01');
    if (refused !== undefined && ageMs < youngMs) return fail({ reason: 'unauthorised' });
    const exchanged = await exchange(ports, account, notes);
    if (!exchanged.ok) return exchanged;
    known.set(account.userName, exchanged.value.notes);
    return ok(exchanged.value.token);
  };

  return async (account, refused) => {
    const { token } = account;
    if (token.kind === 'generate') return generated(account, refused);
    return ok(token.kind === 'static' ? token.value : undefined);
  };
};

/** Gets a new token within the budget, and shares it. */
const exchange = async (
  { table, service, clock, telemetry }: TokenPorts,
  account: PolledAccount,
  notes: TokenNotes,
): Promise<Result<{ readonly token: string; readonly notes: TokenNotes }, PollFailure>> => {
  const askedAt = clock();
  if (!hasRoom(tokenBudget, notes.requests, askedAt.getTime())) return fail({ reason: 'token-limit' });
  const noted = withRequest(notes, askedAt);
  if ((await table.write(tokenRow(noted, askedAt))) === 'overtaken') return fail({ reason: 'no-token' });

  const answer = await service.post(tokenRequest(account));
  if (!answer.ok) return fail({ reason: answer.problem.reason === 'unsendable' ? 'unsendable' : 'no-token' });
  const token = readToken(account, answer.value);
  if (!token.ok) return token;

  telemetry.count('TokensGenerated');
  const next = withToken(noted, token.value, account, { askedAt, now: clock() });
  // The token is good, even if it cannot be shared now.
  await table.write(tokenRow(next, askedAt)).catch((error: unknown) => telemetry.fault('agent-store', error));
  return ok({ token: token.value, notes: next });
};

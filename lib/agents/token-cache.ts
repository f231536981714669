import * as z from 'zod';
import { expiresAt } from '../core/instant.ts';
import { type Facts, withoutUndefined } from '../core/objects.ts';
import { fail, ok, type Result } from '../core/result.ts';
import type { Clock, Telemetry } from '../telemetry/metrics.ts';
import { type AgentTable, tokenKey } from './agent-rows.ts';
import { decryptToken, encryptToken } from './encrypt-token.ts';
import type { PollFailure } from './feed.ts';
import { type PolledAccount, pollingKey, type TelephonyService } from './get-agent-logins.ts';
import { hasCapacity, maxRunSeconds, recentRequests, tokenRateLimit } from './rate-limit.ts';
import { parseToken, tokenRequest } from './token-exchange.ts';

/** What is remembered of an account's tokens between runs. */
const TokenState = z.object({
  account: z.string(),
  version: z.int().nonnegative(),
  /** By when each request for a token in the last hour had reached the service (milliseconds). */
  requests: z.array(z.number()).readonly(),
  encryptedToken: z.string().optional(),
  /** When the token was asked for (ISO instant). */
  issuedAt: z.string().optional(),
});
export type TokenState = Readonly<z.infer<typeof TokenState>>;

/** Nothing is remembered yet. */
const emptyTokenState = (account: string): TokenState => ({ account, version: 0, requests: [] });

/** Practice: a token is valid for 60 minutes. */
const tokenUsableMs = 55 * 60_000;

/** The token that may be used now, if there is one. */
const usableToken = (notes: TokenState, account: PolledAccount, now: Date): string | undefined => {
  const { encryptedToken, issuedAt } = notes;
  if (encryptedToken === undefined || issuedAt === undefined) return undefined;
  const ageMs = now.getTime() - Date.parse(issuedAt);
  return ageMs < tokenUsableMs ? decryptToken(encryptedToken, pollingKey(account)) : undefined;
};

/**
 * The notes with a request for a token added, to be written before it is sent. By when it reaches the service cannot be
 * said, but that no run lasts longer.
 */
const withRequest = (notes: TokenState, now: Date): TokenState => ({
  ...notes,
  version: notes.version + 1,
  requests: [...recentRequests(tokenRateLimit, notes.requests, now.getTime()), now.getTime() + maxRunSeconds * 1000],
});

/** The notes with the token that was asked for at an instant and is here now. */
const withToken = (
  notes: TokenState,
  token: string,
  account: PolledAccount,
  { askedAt, now }: { readonly askedAt: Date; readonly now: Date },
): TokenState => ({
  ...notes,
  version: notes.version + 1,
  requests: [...notes.requests.slice(0, -1), now.getTime()],
  encryptedToken: encryptToken(token, pollingKey(account)),
  issuedAt: askedAt.toISOString(),
});

/** The row of the notes; it outlives every request that counts. */
const tokenRow = (notes: TokenState, now: Date) =>
  withoutUndefined({ ...notes, ...tokenKey(notes.account), kind: 'token', expiresAt: expiresAt(now.toISOString(), 2) });

/** The notes in a row; undefined if it was written by something else. */
const tokenStateOf = (row: Facts): TokenState | undefined => TokenState.safeParse(row).data;

/** What tokens are had with. */
export interface TokenPorts {
  readonly table: AgentTable;
  readonly service: TelephonyService;
  readonly clock: Clock;
  readonly telemetry: Telemetry;
}

/** The account's token, none where it needs none; another one than `refused`, if the service has just refused that. */
export type GetToken = (account: PolledAccount, refused?: string) => Promise<Result<string | undefined, PollFailure>>;

/** A token refused so soon after it was issued was not refused for its age: another would fare no better. */
const minTokenAgeMs = 5 * 60_000;

/**
 * The bearer tokens of the accounts. A generated one is shared by all runs through the table, and so is the budget:
 * what is asked for is noted before it is sent.
 */
export const tokenCache = (ports: TokenPorts): GetToken => {
  const { table, clock } = ports;
  const known = new Map<string, TokenState>();

  const read = async ({ userName }: PolledAccount): Promise<TokenState | undefined> => {
    const { pk, sk } = tokenKey(userName);
    const [row] = await table.query(pk, { from: sk, to: sk });
    return row === undefined ? emptyTokenState(userName) : tokenStateOf(row);
  };

  const generated: GetToken = async (account, refused) => {
    const tokenOf = (notes: TokenState | undefined): string | undefined => {
      const token = notes && usableToken(notes, account, clock());
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
    if (refused !== undefined && ageMs < minTokenAgeMs) return fail({ reason: 'unauthorised' });
    const exchanged = await exchangeToken(ports, account, notes);
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
const exchangeToken = async (
  { table, service, clock, telemetry }: TokenPorts,
  account: PolledAccount,
  notes: TokenState,
): Promise<Result<{ readonly token: string; readonly notes: TokenState }, PollFailure>> => {
  const askedAt = clock();
  if (!hasCapacity(tokenRateLimit, notes.requests, askedAt.getTime())) return fail({ reason: 'token-limit' });
  const noted = withRequest(notes, askedAt);
  if ((await table.write(tokenRow(noted, askedAt))) === 'conflict') return fail({ reason: 'no-token' });

  const answer = await service.post(tokenRequest(account));
  if (!answer.ok) return fail({ reason: answer.problem.reason === 'unsendable' ? 'unsendable' : 'no-token' });
  const token = parseToken(account, answer.value);
  if (!token.ok) return token;

  telemetry.count('TokensGenerated');
  const next = withToken(noted, token.value, account, { askedAt, now: clock() });
  // The token is good, even if it cannot be shared now.
  await table.write(tokenRow(next, askedAt)).catch((error: unknown) => telemetry.fault('agent-store', error));
  return ok({ token: token.value, notes: next });
};

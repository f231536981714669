import * as z from 'zod';
import { type PolledAccount, pollingKey } from '../agent-login/request.ts';
import { recent, tokenBudget } from '../feed/budget.ts';
import { longestRunSeconds } from '../feed/slot.ts';
import { tokenKey } from '../floor/keys.ts';
import { present } from '../present.ts';
import type { Facts } from '../record/delivery.ts';
import { expiresAt } from '../time/expires-at.ts';
import { sealed, unsealed } from './seal.ts';

/** What is remembered of an account's tokens between runs. */
export const TokenNotes = z.object({
  account: z.string(),
  version: z.int().nonnegative(),
  /** By when each request for a token in the last hour had reached the service (milliseconds). */
  requests: z.array(z.number()).readonly(),
  seal: z.string().optional(),
  /** When the token was asked for (ISO instant). */
  issuedAt: z.string().optional(),
});
export type TokenNotes = Readonly<z.infer<typeof TokenNotes>>;

/** Nothing is remembered yet. */
export const noTokens = (account: string): TokenNotes => ({ account, version: 0, requests: [] });

/** Practice: a token is valid for 60 minutes. */
const usedForMs = 55 * 60_000;

/** The token that may be used now, if there is one. */
export const tokenIn = (notes: TokenNotes, account: PolledAccount, now: Date): string | undefined => {
  const { seal, issuedAt } = notes;
  if (seal === undefined || issuedAt === undefined) return undefined;
  const ageMs = now.getTime() - Date.parse(issuedAt);
  return ageMs < usedForMs ? unsealed(seal, pollingKey(account)) : undefined;
};

/**
 * The notes with a request for a token added, to be written before it is sent. By when it reaches the service cannot be
 * said, but that no run lasts longer.
 */
export const withRequest = (notes: TokenNotes, now: Date): TokenNotes => ({
  ...notes,
  version: notes.version + 1,
  requests: [...recent(tokenBudget, notes.requests, now.getTime()), now.getTime() + longestRunSeconds * 1000],
});

/** The notes with the token that was asked for at an instant and is here now. */
export const withToken = (
  notes: TokenNotes,
  token: string,
  account: PolledAccount,
  { askedAt, now }: { readonly askedAt: Date; readonly now: Date },
): TokenNotes => ({
  ...notes,
  version: notes.version + 1,
  requests: [...notes.requests.slice(0, -1), now.getTime()],
  seal: sealed(token, pollingKey(account)),
  issuedAt: askedAt.toISOString(),
});

/** The row of the notes; it outlives every request that counts. */
export const tokenRow = (notes: TokenNotes, now: Date) =>
  present({ ...notes, ...tokenKey(notes.account), kind: 'token', expiresAt: expiresAt(now.toISOString(), 2) });

/** The notes in a row; undefined if it was written by something else. */
export const tokenNotesOf = (row: Facts): TokenNotes | undefined => TokenNotes.safeParse(row).data;

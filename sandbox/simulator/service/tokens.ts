import { randomUUID } from 'node:crypto';
import type { TokenRule } from '../account.ts';

/** The tokens of an account. */
export interface Tokens {
  /** Makes one more, which nobody can foresee. Those made before stay valid. */
  readonly generate: () => string;
  /** Whether a request with this `Authorization` header may see the agents. */
  readonly isAccepted: (authorization: string | undefined) => boolean;
  readonly generated: () => number;
}

/** Practice: a token is valid for an hour. */
const lifeMilliseconds = 60 * 60_000;

/** With or without `Bearer`, as both are met. */
const tokenIn = (authorization: string): string => authorization.replace(/^Bearer\s+/i, '').trim();

/** The tokens of an account under its rule. Where it asks for none, whatever is sent is good. */
export const createTokens = (rule: TokenRule, now: () => number): Tokens => {
  const expiries = new Map<string, number>();
  let generated = 0;

  return {
    generate() {
      const token = randomUUID();
      expiries.set(token, now() + lifeMilliseconds);
      generated += 1;
      return token;
    },
    isAccepted(authorization = '') {
      if (rule.kind === 'none') return true;

      const token = tokenIn(authorization);
      return rule.kind === 'static' ? token === rule.value : now() < (expiries.get(token) ?? 0);
    },
    generated: () => generated,
  };
};

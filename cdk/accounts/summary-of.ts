import type { Account } from '../../lib/account/account.ts';

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** What an account's entry means, without a key or a token. */
export const summaryOf = ({ userName, apiKeys, baseUrl, timeZone, token }: Account): string => {
  const polled = baseUrl === undefined ? 'agents not polled' : `agents polled at ${baseUrl}, token: ${token.kind}`;

  return `${userName}: ${plural(apiKeys.length, 'live key')}, times in ${timeZone}, ${polled}`;
};

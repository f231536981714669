import { answers, type RefusalReason } from '../../lib/callback/refusal.ts';
import type { Stays } from '../../lib/redrive-quarantined.ts';

/** What only redriving runs into, or what the sender would be told in other words. */
const ownWords: Readonly<Record<Exclude<Stays, RefusalReason> | 'mixed-accounts' | 'unknown-user', string>> = {
  'body-cut': 'The body was too long to be kept whole: have the service post it again.',
  'mixed-accounts': 'Its records are of several accounts, and with the keys gone it cannot be told whose is which.',
  'unknown-user': 'A UserName in it is not that of the account.',
  'account-not-named': 'It came without an account: say whose it is with --account.',
  'account-not-known': 'The accounts’ secret has no such account.',
  'account-is-another': 'It is of another account than --account says.',
};

const isOurs = (reason: Stays): reason is keyof typeof ownWords => Object.hasOwn(ownWords, reason);

/** Why an entry stays in quarantine, in a sentence. */
export const whyItStays = (reason: Stays): string => (isOurs(reason) ? ownWords[reason] : answers[reason].message);

import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { once } from '../core/collections.ts';
import { sha256 } from '../core/encoding.ts';
import { joinedKey, type Row, type RowKey, readRow } from '../storage/rows.ts';
import { type Account, countryOf, isPolled, isSameUser } from './accounts.ts';
import { keyReplacement } from './find-keys.ts';
import { type Redactor, redactedText, redactorFor } from './redact-secrets.ts';

/** Throws when the accounts of this deployment cannot be read or are malformed. */
export interface Accounts {
  current(): Promise<AccountIndex>;
  /** Reads them again, unless they were read moments ago. While they cannot be read, these are the last ones. */
  refresh(): Promise<AccountIndex>;
}

export interface AccountIndex {
  readonly all: readonly Account[];
  /** The accounts could not be read again when that was last tried. A key that they lack may be live by now. */
  readonly isStale?: true;
  /** The account that a key belongs to. The look-up takes as long for a wrong key as for a right one. */
  accountForKey(key: string): Account | undefined;
  accountForFingerprint(fingerprint: string): Account | undefined;
  /** The account with this name, in any letter case. Without a name: the only account, if there is just one. */
  accountNamed(userName: string | undefined): Account | undefined;
  /** The keys in a text: those of these accounts wherever they are, then the values of fields that are named like keys. */
  keysIn(text: string): readonly string[];
  /** Also without values of fields that are named like keys, and callback secrets. */
  redact(text: string): string;
  ownMasks(text: string, account: Account): readonly number[] | undefined;
}

/** Of its SHA-256: enough to find a redacted post's account among a few, too little to confirm a guessed key. */
export const keyFingerprint = (key: string): string => fingerprintOf(sha256(key));

const fingerprintOf = (digest: Buffer): string => digest.toString('hex', 0, 4);

/** `secretHashes` are those of the callback secrets, as `callbackSecretHash` makes them. */
export const accountIndex = (accounts: readonly Account[], secretHashes?: string): AccountIndex => {
  const digests = accounts.flatMap((account) => account.apiKeys.map((key) => ({ account, digest: sha256(key) })));
  // Only callbacks are redacted and searched, and not every function receives them.
  const replaceKeys = once(() => keyReplacement(accounts.flatMap(({ apiKeys }) => apiKeys)));
  const redactor = once(() => redactorFor(replaceKeys(), secretHashes));

  return {
    all: accounts,
    accountForKey: (key) => {
      const sent = sha256(key);
      // `filter` and not `find`: it compares every key, whichever matches.
      return digests.filter(({ digest }) => timingSafeEqual(digest, sent))[0]?.account;
    },
    accountForFingerprint: (fingerprint) => {
      const owners = new Set(
        digests.filter(({ digest }) => fingerprintOf(digest) === fingerprint).map(({ account }) => account),
      );
      return owners.size === 1 ? [...owners][0] : undefined;
    },
    accountNamed: (userName) => {
      if (userName === undefined) return accounts.length === 1 ? accounts[0] : undefined;
      return accounts.find((account) => isSameUser(account.userName, userName));
    },
    keysIn: (text) => {
      const live = new Set<string>();
      const others = new Set<string>();
      const found = (key: string) => {
        live.add(key);
        return redactedText;
      };
      redactor()(text, (key, isLive) => {
        if (isLive) return found(key);
        // What has a live key in it is not another key.
        if (!replaceKeys()(key, found).includes(redactedText)) others.add(key);
        return redactedText;
      });
      return [...live, ...others];
    },
    redact: (text) => redactor()(text),
    ownMasks: (text, { apiKeys }) => ownMasks(redactor(), text, apiKeys),
  };
};

/** The texts around the masks of a redacted text: mask n, counted from 0, stands between the pieces n and n + 1. */
const textsAround = (redacted: string): readonly string[] => redacted.split(redactedText);

const masksOfFields = (pieces: readonly string[]): readonly number[] =>
  pieces.flatMap((before, mask) =>
    /"api[_-]?key\s*"\s*:\s*"$/i.test(before) && pieces[mask + 1]?.startsWith('"') ? [mask] : [],
  );

/** Follows the masks of an account's own keys while they are looked for. No text of a call has this character. */
const ownMark = '\uFFFF';

const maxNoted = 20;

/**
 * Which masks of a text hide one of these keys of its account, once it is redacted. Others hide somebody else's key, or are
 * asterisks of the sender. Undefined if they are those of the fields named like a key, as nearly always.
 */
export const ownMasks = (redact: Redactor, sent: string, keys: readonly string[]): readonly number[] | undefined => {
  const pieces = textsAround(redact(sent, (key) => (keys.includes(key) ? `${redactedText}${ownMark}` : redactedText)));
  const own = pieces.slice(1).flatMap((after, mask) => (after.startsWith(ownMark) ? [mask] : []));
  const ofFields = masksOfFields(pieces.map((piece) => piece.replace(ownMark, '')));
  return own.length > maxNoted || String(own) === String(ofFields) ? undefined : own;
};

/** A key as it is written behind this text: in an address it is percent-encoded. */
const keyBehind = (before: string, key: string): string =>
  /(?:=|%3D)$/i.test(before) ? encodeURIComponent(key) : JSON.stringify(key).slice(1, -1);

/**
 * A redacted text with the account's key where it was, as `ownMasks` noted. Without a note only fields have it again: another
 * mask may stand in a link to somebody else's host, or in what an agent wrote.
 */
export const withOwnKey = (redacted: string, key: string, noted?: readonly number[]): string => {
  const pieces = textsAround(redacted);
  const own = new Set(noted ?? masksOfFields(pieces));
  const filled = pieces
    .slice(0, -1)
    .map((piece, mask) => `${piece}${own.has(mask) ? keyBehind(piece, key) : redactedText}`);
  return `${filled.join('')}${pieces.at(-1)}`;
};

/** What a reader of the tables may know of an account: not its keys. */
const namedAccount = once(() =>
  z.object({
    userName: z.string(),
    timeZone: z.string(),
    /** The country of its numbers. A row from before it was stored lacks it. */
    country: z.optional(z.string()),
    /** Numbers of many people, as they were typed. */
    sharedNumbers: z.optional(z.readonly(z.array(z.string()))),
    /** Whether its agents are polled, and its call report can be read. */
    isPolled: z.boolean(),
  }),
);
export type NamedAccount = Readonly<z.infer<ReturnType<typeof namedAccount>>>;

const accountsRow = once(() => z.object({ accounts: z.array(namedAccount()) }));

/** The row that names the accounts. No account has a blank name, so none has this partition. */
export const accountsKey: RowKey = { pk: joinedKey('', 'accounts'), sk: 'accounts' };

export const namedAccounts = (all: readonly Account[]): readonly NamedAccount[] =>
  all.map((account) => ({
    userName: account.userName,
    timeZone: account.timeZone,
    country: countryOf(account),
    sharedNumbers: account.sharedNumbers,
    isPolled: isPolled(account),
  }));

export const accountsIn = (item: Row): readonly NamedAccount[] => readRow(accountsRow(), item).accounts;

/** The account with exactly this name: rows are kept under it. */
export const findAccount = (all: readonly NamedAccount[], name: string): NamedAccount | undefined =>
  all.find(({ userName }) => userName === name);

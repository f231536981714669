import { timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { isObject, once } from '../core/collections.ts';
import { sha256 } from '../core/encoding.ts';
import { tryParseJson } from '../core/json.ts';
import { fail, loggableError, ok, problemText, type Result } from '../core/result.ts';
import { isTimeZone } from '../core/time.ts';
import type { Telemetry } from '../telemetry/metrics.ts';
import { knownKeys, redactedText } from './known-secrets.ts';
import { ownMasks } from './own-keys.ts';
import { type OnCorrection, pastedAccounts, visibleText } from './pasted-accounts.ts';
import { redactorFor } from './redact-secrets.ts';

/** The longest key. */
export const maxApiKeyLength = 250;

/** The service's times name no zone, and a wrong one would shift every call. Only the account's user can know it. */
const zoneHint =
  'Expected the IANA time zone of the times that the service sends, such as Asia/Kolkata, its home zone. ' +
  'Compare the StartTime of a call with your clock to find out';

/** At the service a setting of the account decides between the key alone and the key with a token. */
const tokenHint =
  'Expected how polls get their token, which a setting of the account at the service decides. ' +
  'With the key alone {"kind": "none"}, with key and token {"kind": "generate"}, or {"kind": "static", "value": "…"}. ' +
  'A wrong choice fails like wrong credentials, and check-accounts --try finds it';

/** Whether a text has only characters that an HTTP header may hold. */
const isHeaderText = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

/** A text that is not empty, and passes a test of its own. */
const text = (expected: string, isRight: (text: string) => boolean = () => true) =>
  z.string(expected).check(z.refine((value) => value !== '' && isRight(value), expected));

/** An object with these fields and no others: a misspelt one would have no effect. */
const strictObject = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `Expected no field ${issue.keys.join(', ')}, but only ${Object.keys(shape).join(', ')}`
        : 'Expected an object',
  });

const Token = z.discriminatedUnion(
  'kind',
  [
    strictObject({ kind: z.literal('none') }),
    strictObject({ kind: z.literal('static'), value: text('Expected printable ASCII characters', isHeaderText) }),
    strictObject({
      kind: z.literal('generate'),
      path: z.optional(text('Expected a path that begins with /', (path) => /^\/[^\s?#]*$/.test(path))),
      header: z.optional(text('Expected the name of a header', (name) => /^[\w-]+$/.test(name))),
      answerField: z.optional(text('Expected the name of a field')),
    }),
  ],
  tokenHint,
);

/**
 * Whether an address may be sent a key. Without TLS everybody on the way could read the key, so `http` is for services on
 * this machine only.
 */
export const isServiceAddress = (text: string): boolean => !text.includes('?') && isReceiverAddress(text);

/** The same, for the whole address of a receiver: many tell their senders apart by a query. */
const isReceiverAddress = (text: string): boolean => {
  const url = /^https?:\/\/[^?#@]*(?:\?[^#]*)?$/i.test(text) ? URL.parse(text) : null;
  return url !== null && (url.protocol === 'https:' || thisMachine.test(url.hostname));
};

const thisMachine = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const word = text('Expected a word');

const forwardToHint =
  'Expected a list of at most 3 different https addresses without fragment and credentials, ' +
  'such as https://old.example/callDetails?code=acme';

/** Whether a value has an address for polling. It is asked of values in which other fields are wrong, too. */
const isPolledAccount = ({ value }: { readonly value: unknown }): boolean =>
  isObject(value) && value['baseUrl'] !== undefined;

/** An account of the telephony service. One that is polled needs a token, and a key that a header can carry. */
const Account = strictObject({
  /** The account's name at the service. */
  userName: text('Expected a name of at most 255 characters', (name) => name.length <= 255),
  /** Its live keys. Polling uses the first one; a callback may hold any of them. */
  apiKeys: z.readonly(
    z
      .array(
        text(`Expected a key of at most ${maxApiKeyLength} characters`, (key) => key.length <= maxApiKeyLength),
        'Expected a list of at least one key',
      )
      .check(z.minLength(1, 'Expected a list of at least one key')),
  ),
  /** The address for polling its agents. Without one they are not polled. */
  baseUrl: z.optional(
    text(
      'Expected an https address without query, fragment and credentials, such as https://service.example',
      isServiceAddress,
    ),
  ),
  /** The zone of the local times that the service sends for it. */
  timeZone: text(zoneHint, isTimeZone),
  /**
   * Words of the service that Callfeed does not know yet, by fact, each with our word for it. An entry that makes no sense
   * has no effect, and check-accounts finds it: a misspelt word must not reject the accounts, and with them every callback.
   */
  words: z.optional(
    z.record(z.string(), z.record(z.string(), word, 'Expected an object of words'), 'Expected an object of facts'),
  ),
  /** `off` for an account that posts no callbacks: that agents end calls and none comes is then no fault. */
  callbacks: z.optional(z.enum(['on', 'off'], 'Expected on or off')),
  /** Addresses that get every delivery too, as the service would post it. They have an effect with the setting `forwarding`. */
  forwardTo: z.optional(
    z.readonly(
      z.array(text(forwardToHint, isReceiverAddress), forwardToHint).check(
        z.maxLength(3, forwardToHint),
        z.refine((addresses) => new Set(addresses).size === addresses.length, forwardToHint),
      ),
    ),
  ),
  /** Where the bearer token for polling comes from. An account with an address has one. */
  token: z.optional(Token),
}).check(
  z.refine(({ token }) => token !== undefined, { error: tokenHint, path: ['token'], when: isPolledAccount }),
  z.refine(({ apiKeys: [key] }) => typeof key !== 'string' || isHeaderText(key), {
    error: 'Expected printable ASCII characters in the first key: a header carries it',
    path: ['apiKeys'],
    when: (payload) => isPolledAccount(payload) && Array.isArray(Object(payload.value)['apiKeys']),
  }),
);

export type Account = Readonly<z.infer<typeof Account>>;

const accountsHint = 'Expected a list of at least one account';

const AccountList = z.array(Account, accountsHint).check(z.minLength(1, accountsHint));

/**
 * Parses the accounts from the JSON in their secret. The problem names the faulty field and what is allowed there; it
 * never repeats a value, which may be a secret. Nor does `onCorrection` get one.
 * @example parseAccounts('[{"userName":"demo"}]') // problem: '[0].apiKeys: Expected a list of at least one key; …'
 */
export const parseAccounts = (
  json: string,
  onCorrection: OnCorrection = () => undefined,
): Result<readonly Account[], string> => {
  // Some editors put a byte-order mark before the text.
  const value = tryParseJson(visibleText(json));
  if (value === undefined) return fail('accounts: Expected a JSON list of accounts; this is not JSON');
  const { data: list, error } = AccountList.safeParse(pastedAccounts(value, onCorrection));
  if (error !== undefined) return fail(problemText(error, 'accounts'));
  // No name and no key may occur twice.
  if (hasRepeats(list.map(({ userName }) => userName.toLowerCase()))) return fail('accounts: A userName occurs twice');
  if (hasRepeats(list.flatMap(({ apiKeys }) => apiKeys))) return fail('accounts: An apiKey occurs twice');
  return ok(list);
};

const hasRepeats = (list: readonly string[]): boolean => new Set(list).size < list.length;

/** Whether callbacks of the account are expected. Those that come are stored in any case. */
export const hasCallbacks = ({ callbacks = 'on' }: Pick<Account, 'callbacks'>): boolean => callbacks === 'on';

/**
 * The content of a new secret. It is no JSON, so every callback is rejected until somebody fills in the accounts.
 * Never reword it: CloudFormation writes a changed text over the accounts of everyone who updates.
 */
export const accountsPlaceholder = 'REPLACE THIS TEXT WITH THE JSON LIST OF ACCOUNTS';

const notSetUpName = 'AccountsNotSetUp';

/** Throws if nobody has replaced the placeholder in the secret yet. */
export const rejectPlaceholder = (text: string): void => {
  if (text.trim() !== accountsPlaceholder) return;
  const message = 'The accounts secret still holds its placeholder: put in the JSON list of accounts (README, Deploy)';
  throw Object.assign(loggableError(message), { name: notSetUpName });
};

/** Whether an error comes from `rejectPlaceholder`. */
export const isNotSetUp = (error: unknown): boolean => error instanceof Error && error.name === notSetUpName;

/** Without accounts nobody can be authenticated; with stale ones, everybody but a sender whose key is new. */
type AccountsFaultMetric = 'AccountsUnreadable' | 'AccountsStale';

/** Counts and logs that the accounts could not be read. */
export const emitAccountsFault = (telemetry: Telemetry, metric: AccountsFaultMetric, error: unknown): void => {
  telemetry.count(metric);
  telemetry.fault('accounts', error);
};

/** The accounts that this deployment serves. Throws when they cannot be read or are malformed. */
export interface Accounts {
  current(): Promise<AccountIndex>;
  /**
   * Reads them again, unless they were read moments ago: a key may have been rotated since. While they cannot be read, these
   * are the last ones, which say so.
   */
  refresh(): Promise<AccountIndex>;
}

/** The accounts, prepared for look-ups. */
export interface AccountIndex {
  readonly all: readonly Account[];
  /** They could not be read again when that was last tried. A key that they lack may be live by now. */
  readonly isStale?: true;
  /** The account that a key belongs to. The look-up takes as long for a wrong key as for a right one. */
  accountForKey(key: string): Account | undefined;
  /** The account that alone has a live key with this fingerprint. */
  accountForFingerprint(fingerprint: string): Account | undefined;
  /** The account with this name, in any letter case. Without a name: the only account, if there is just one. */
  accountNamed(userName: string | undefined): Account | undefined;
  /** The keys in a text: those of these accounts wherever they are, then the values of fields that are named like keys. */
  keysIn(text: string): readonly string[];
  /** The text without keys of these accounts, values of fields that are named like keys, and callback secrets. */
  redact(text: string): string;
  /** Which masks of the redacted text hide keys of this account, if not those of the fields named like keys. */
  ownMasks(text: string, account: Account): readonly number[] | undefined;
}

/**
 * The first 8 hexadecimal characters of a key's SHA-256. They find the one account, among the few of a deployment, whose
 * live key a redacted post came with. They are too few to confirm a guessed key: one in four billion keys has the same.
 */
export const keyFingerprint = (key: string): string => fingerprintOf(sha256(key));

const fingerprintOf = (digest: Buffer): string => digest.toString('hex', 0, 4);

/** Prepares accounts for look-ups. `secretHashes` are those of the callback secrets, as `callbackSecretHash` makes them. */
export const accountIndex = (accounts: readonly Account[], secretHashes?: string): AccountIndex => {
  const digests = accounts.flatMap((account) => account.apiKeys.map((key) => ({ account, digest: sha256(key) })));
  // Only callbacks are redacted and searched, and not every function receives them.
  const replaceKeys = once(() => knownKeys(accounts.flatMap(({ apiKeys }) => apiKeys)));
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
      const [live, others] = [new Set<string>(), new Set<string>()];
      const known = (key: string) => {
        live.add(key);
        return redactedText;
      };
      // What has a live key in it is not another key.
      const named = (key: string) => {
        if (!replaceKeys()(key, known).includes(redactedText)) others.add(key);
        return redactedText;
      };
      redactor()(text, { known, named });
      return [...live, ...others];
    },
    redact: (text) => redactor()(text),
    ownMasks: (text, { apiKeys }) => ownMasks(redactor(), text, apiKeys),
  };
};

/** Whether two user names mean the same account. */
export const isSameUser = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** An account whose agents are polled. */
export type PolledAccount = Account & Readonly<Required<Pick<Account, 'baseUrl' | 'token'>>>;

/** Whether the account has an address at which its agents are polled. It then has a `token` too. */
export const isPolled = (account: Account): account is PolledAccount => account.baseUrl !== undefined;

/** Whether deliveries of the account are posted on to other addresses. */
export const isForwarded = ({ forwardTo = [] }: Account): boolean => forwardTo.length > 0;

/** The key that polls. */
export const pollingKey = ({ apiKeys: [first = ''] }: Account): string => first;

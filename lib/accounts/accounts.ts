import * as z from 'zod/mini';
import { isObject, once } from '../core/collections.ts';
import { tryParseJson } from '../core/json.ts';
import { fail, loggableError, ok, problemText, type Result } from '../core/result.ts';
import { isTimeZone, zoneName } from '../core/time.ts';
import { countryOfZone } from '../telephony/zone-countries.ts';

export const maxApiKeyLength = 250;

/** The service's times name no zone, and a wrong one would shift every call. Only the account's user can know it. */
const zoneHint =
  'Expected the IANA time zone of the times that the service sends, such as Asia/Kolkata, its home zone. ' +
  'Compare the StartTime of a call with your clock to find out';

const countryHint = 'Expected the two letters of a country, such as IN';

const sharedNumbersHint =
  'Expected a list of at most 1,000 telephone numbers that many people share, such as a switchboard’s';

/** At the service a setting of the account decides between the key alone and the key with a token. */
const tokenHint =
  'Expected how polls get their token, which a setting of the account at the service decides. ' +
  'With the key alone {"kind": "none"}, with key and token {"kind": "generate"}, or {"kind": "static", "value": "…"}. ' +
  'A wrong choice fails like wrong credentials, and check-accounts --try finds it';

const isHeaderText = (text: string): boolean => /^[\x20-\x7e]*$/.test(text);

const text = (
  expected: string,
  isRight: (text: string) => boolean = () => true,
  corrected: (text: string) => string = (text) => text,
) =>
  z.string(expected).check(
    z.overwrite(corrected),
    z.refine((value) => value !== '' && isRight(value), expected),
  );

const withoutRepeats = z.overwrite((entries: string[]) => [...new Set(entries)]);

/** An object with these fields and no others: a misspelt one would have no effect. */
const strictObject = <Shape extends z.core.$ZodShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `Expected no field ${issue.keys.join(', ')}, but only ${Object.keys(shape).join(', ')}`
        : 'Expected an object',
  });

const tokenSchema = () =>
  z.discriminatedUnion(
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

/** An operation of the service, or the folder of some. Each request adds its own to the address. */
const operationAtEnd = /\/(?:ca_apis|ca_reports)(?:\/(?:getAgentLogins|fetch\w+|CAToken\/generateToken))?\/*$/i;

/** Everybody on the way can read a key that is sent without TLS, so `http` is for services on this machine. */
export const isServiceAddress = (text: string): boolean => !text.includes('?') && isReceiverAddress(text);

/** As `isServiceAddress`, for a receiver. That may have a query, which tells its senders apart. */
const isReceiverAddress = (text: string): boolean => {
  const url = /^https?:\/\/[^?#@]*(?:\?[^#]*)?$/i.test(text) ? URL.parse(text) : null;
  return url !== null && (url.protocol === 'https:' || thisMachine.test(url.hostname));
};

const thisMachine = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

const forwardToHint =
  'Expected a list of at most 3 https addresses without fragment and credentials, ' +
  'such as https://old.example/callDetails?code=acme';

/** Asked of values in which other fields are wrong, too. */
const isPolledAccount = ({ value }: { readonly value: unknown }): boolean =>
  isObject(value) && value['baseUrl'] !== undefined;

/** An account that is polled needs a token, and a key that a header can carry. */
const accountSchema = () =>
  strictObject({
    userName: text('Expected a name of at most 255 characters', (name) => name.length <= 255),
    /** Polling uses the first one; a callback may hold any of them. */
    apiKeys: z.readonly(
      z
        .array(
          text(`Expected a key of at most ${maxApiKeyLength} characters`, (key) => key.length <= maxApiKeyLength),
          'Expected a list of at least one key',
        )
        .check(withoutRepeats, z.minLength(1, 'Expected a list of at least one key')),
    ),
    baseUrl: z.optional(
      text(
        'Expected an https address without query, fragment and credentials, such as https://service.example',
        isServiceAddress,
        (address) => address.replace(operationAtEnd, ''),
      ),
    ),
    timeZone: text(zoneHint, isTimeZone, zoneName),
    /** Where numbers belong that have no country's code: without it, to the country of the time zone. */
    country: z.optional(
      text(
        countryHint,
        (code) => /^[a-z]{2}$/i.test(code),
        (code) => code.toUpperCase(),
      ),
    ),
    /**
     * Numbers of many people, such as a switchboard: nobody can say which of them still waits for a call back. check-accounts
     * finds an entry that is no number, as it does with words.
     */
    sharedNumbers: z.optional(
      z.readonly(z.array(z.string(sharedNumbersHint), sharedNumbersHint).check(z.maxLength(1_000, sharedNumbersHint))),
    ),
    /**
     * Words of the service that Callfeed does not know yet, by fact, each with our word for it. An entry that makes no sense
     * has no effect, and check-accounts finds it: a misspelt word must not reject the accounts, and with them every callback.
     */
    words: z.optional(
      z.record(
        z.string(),
        z.record(z.string(), text('Expected a word'), 'Expected an object of words'),
        'Expected an object of facts',
      ),
    ),
    /** `off` for an account that posts no callbacks: that agents end calls and none comes is then no fault. */
    callbacks: z.optional(z.enum(['on', 'off'], 'Expected on or off')),
    /** These addresses have an effect with the setting `forwarding`. */
    forwardTo: z.optional(
      z.readonly(
        z
          .array(text(forwardToHint, isReceiverAddress), forwardToHint)
          .check(withoutRepeats, z.maxLength(3, forwardToHint)),
      ),
    ),
    /** An account with an address has one. */
    token: z.optional(tokenSchema()),
  }).check(
    z.refine(({ token }) => token !== undefined, { error: tokenHint, path: ['token'], when: isPolledAccount }),
    z.refine(({ apiKeys: [key] }) => typeof key !== 'string' || isHeaderText(key), {
      error: 'Expected printable ASCII characters in the first key: a header carries it',
      path: ['apiKeys'],
      when: (payload) => isPolledAccount(payload) && Array.isArray(Object(payload.value)['apiKeys']),
    }),
  );

export type Account = Readonly<z.infer<ReturnType<typeof accountSchema>>>;

const accountsHint = 'Expected a list of at least one account';

/** Made when accounts are read, which the start of a function need not wait for. */
const accountList = once(() => z.array(accountSchema(), accountsHint).check(z.minLength(1, accountsHint)));

/**
 * Parses the accounts from the JSON in their secret. The problem names the faulty field and what is allowed there; it
 * never repeats a value, which may be a secret.
 * @example parseAccounts('[{"userName":"demo"}]') // problem: '[0].apiKeys: Expected a list of at least one key; …'
 */
export const parseAccounts = (json: string): Result<readonly Account[], string> => {
  // Some editors put a byte-order mark before the text.
  const value = tryParseJson(visibleText(json), visibleValue);
  if (value === undefined) return fail('accounts: Expected a JSON list of accounts; this is not JSON');
  const { data: list, error } = accountList().safeParse(value);
  if (error !== undefined) return fail(problemText(error, 'accounts'));
  // No two accounts may have a name or a key in common.
  if (hasRepeats(list.map(({ userName }) => userName.toLowerCase()))) return fail('accounts: A userName occurs twice');
  if (hasRepeats(list.flatMap(({ apiKeys }) => apiKeys))) return fail('accounts: An apiKey occurs twice');
  return ok(list);
};

const hasRepeats = (list: readonly string[]): boolean => new Set(list).size < list.length;

/** White space and characters that show nothing, such as a zero-width space, at either end of a text. */
const invisibleEnds = /^[\s\p{Cc}\p{Cf}]+|[\s\p{Cc}\p{Cf}]+$/gu;

const visibleText = (text: string): string => text.replace(invisibleEnds, '');

/** A key with a line end behind it would pass for a key, and every callback be rejected. */
const visibleValue = (_name: string, value: unknown): unknown =>
  typeof value === 'string' ? visibleText(value) : value;

/** The country of the account’s numbers; undefined where neither it nor the time zone says one. */
export const countryOf = ({ country, timeZone }: Pick<Account, 'country' | 'timeZone'>): string | undefined =>
  country ?? countryOfZone(timeZone);

/** Whether callbacks of the account are expected. Those that come are stored in any case. */
export const hasCallbacks = ({ callbacks = 'on' }: Pick<Account, 'callbacks'>): boolean => callbacks === 'on';

/**
 * No JSON, so every callback is rejected until it is filled in.
 * Never reword it: CloudFormation writes a changed text over the accounts of everyone who updates.
 */
export const accountsPlaceholder = 'REPLACE THIS TEXT WITH THE JSON LIST OF ACCOUNTS';

const notSetUpName = 'AccountsNotSetUp';

export const rejectPlaceholder = (text: string): void => {
  if (text.trim() !== accountsPlaceholder) return;
  const message = 'The accounts secret still holds its placeholder: put in the JSON list of accounts (README, Deploy)';
  throw Object.assign(loggableError(message), { name: notSetUpName });
};

export const isNotSetUp = (error: unknown): boolean => error instanceof Error && error.name === notSetUpName;

export const isSameUser = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export type PolledAccount = Account & Readonly<Required<Pick<Account, 'baseUrl' | 'token'>>>;

/** Such an account has a `token` too. */
export const isPolled = (account: Account): account is PolledAccount => account.baseUrl !== undefined;

export const isForwarded = ({ forwardTo = [] }: Account): boolean => forwardTo.length > 0;

export const pollingKey = ({ apiKeys: [first = ''] }: Account): string => first;

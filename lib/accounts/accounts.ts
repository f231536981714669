import * as z from 'zod/mini';
import '../core/zod-messages.ts';
import { once } from '../core/objects.ts';
import { tryParseJson } from '../core/parse-json.ts';
import { fail, loggableError, ok, type Result } from '../core/result.ts';
import { isTimeZone } from '../core/time-zone.ts';
import type { Telemetry } from '../telemetry/metrics.ts';

/** The service's home zone. */
export const defaultTimeZone = 'Asia/Kolkata';

/** What HTTP carries in a header. */
const headerText = /^[\x20-\x7e]+$/;
const isHeaderText = (value: string): boolean => headerText.test(value);

const tokenSchema = (text: z.ZodMiniString) =>
  z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('none') }),
    z.strictObject({
      kind: z.literal('static'),
      value: text.check(z.regex(headerText, 'Expected printable ASCII characters')),
    }),
    z.strictObject({
      kind: z.literal('generate'),
      path: z.optional(text.check(z.regex(/^\/[^\s?#]*$/, 'Expected a path that begins with /'))),
      header: z.optional(text.check(z.regex(/^[\w-]+$/, 'Expected the name of a header'))),
      answerField: z.optional(text),
    }),
  ]);

/** An address to which paths can be appended, and which carries no credentials of its own. */
const isBaseUrl = (url: string): boolean => /^[^?#@]*$/.test(url);

/** An account of the telephony service, as the secret holds it. */
const accountSchema = () => {
  const text = z.string().check(z.minLength(1));
  return z
    .strictObject({
      /** The account's name at the service. */
      userName: text.check(z.maxLength(255)),
      /** Its live keys; the first one polls, any of them may come in a callback. */
      apiKeys: z.array(text.check(z.maxLength(250))).check(z.minLength(1)),
      /** Where its agents are polled; none: they are not. */
      baseUrl: z.optional(
        z
          .url({ protocol: /^https?$/ })
          .check(z.refine(isBaseUrl, 'Expected an address without query, fragment and credentials')),
      ),
      /** The zone of the local times that the service sends for it; none: that of the deployment. */
      timeZone: z.optional(text.check(z.refine(isTimeZone, 'Expected an IANA time zone such as Asia/Kolkata'))),
      /** How the bearer token for polling is had. */
      token: z._default(tokenSchema(text), { kind: 'none' }),
    })
    .check(
      z.refine(({ baseUrl, apiKeys: [first = ''] }) => baseUrl === undefined || isHeaderText(first), {
        error: 'Expected printable ASCII characters in the first key: it is sent in a header to poll agents',
        path: ['apiKeys'],
      }),
    );
};

/** An account of the telephony service. */
export type Account = z.infer<ReturnType<typeof accountSchema>> & { readonly timeZone: string };

const hasNoRepeats = (list: readonly string[]): boolean => new Set(list).size === list.length;

/** The secret's content: a list of accounts, each name and each key in it once. */
const accountListSchema = once(() =>
  z.array(accountSchema()).check(
    z.minLength(1),
    z.refine((list) => hasNoRepeats(list.map(({ userName }) => userName.toLowerCase())), 'A userName occurs twice'),
    z.refine((list) => hasNoRepeats(list.flatMap(({ apiKeys }) => apiKeys)), 'An apiKey occurs twice'),
  ),
);

/**
 * Reads the accounts from their JSON; those that name no zone are in `timeZone`. The problem names the faulty field and
 * what is allowed, never a value.
 * @example readAccounts('[{"userName":"demo"}]') // problem: '[0].apiKeys: Invalid input: expected array, …'
 */
export const parseAccounts = (json: string, timeZone = defaultTimeZone): Result<readonly Account[], string> => {
  const value = tryParseJson(json);
  if (value === undefined) return fail('accounts: Expected a JSON list of accounts; this is no valid JSON');
  const list = accountListSchema().safeParse(value);
  if (list.success) return ok(list.data.map((account) => ({ ...account, timeZone: account.timeZone ?? timeZone })));
  return fail(list.error.issues.map(({ path, message }) => `${pathOf(path)}: ${message}`).join('; '));
};

const pathOf = (path: readonly PropertyKey[]): string =>
  path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`)).join('') || 'accounts';

/**
 * What a new secret holds: no JSON, so every callback is refused until somebody fills it in.
 * Never reword it: CloudFormation writes a changed text over the accounts of everyone who updates.
 */
export const accountsPlaceholder = 'REPLACE THIS TEXT WITH THE JSON LIST OF ACCOUNTS';

const notSetUpName = 'AccountsNotSetUp';

/** Throws if this is the text of a secret that nobody has filled in yet. */
export const rejectPlaceholder = (text: string): void => {
  if (text.trim() !== accountsPlaceholder) return;
  const what = 'The accounts’ secret still holds its placeholder';
  throw Object.assign(loggableError(`${what}: put the JSON list of accounts into it (README, “Deploy”)`), {
    name: notSetUpName,
  });
};

/** Whether accounts cannot be read because nobody has filled in the secret yet. */
export const isNotSetUp = (error: unknown): boolean => error instanceof Error && error.name === notSetUpName;

/** What is left when the accounts could not be read: nobody to go by, or the accounts as they were before. */
export type AccountsFaultMetric = 'AccountsUnreadable' | 'AccountsStale';

/** Tells that the accounts could not be read, and what that leaves. */
export const emitAccountsFault = (telemetry: Telemetry, left: AccountsFaultMetric, error: unknown): void => {
  telemetry.count(left);
  telemetry.fault('accounts', error);
};

import type { Account } from '../../lib/accounts/accounts.ts';
import type { PlannedCall } from './call.ts';
import { keyOf, participantsOf, summaryOf } from './call-fields.ts';
import { between, type Choosable, pick, type Random } from './random.ts';
import { bareNumber, type Rewrite, type SentFields, wallTime } from './sent-fields.ts';

export interface Post extends Wire {
  /** Seconds after the first post of the call. Posts with the same number are sent at the same time. */
  readonly afterSeconds: number;
  /** Digits; undefined if the post is no call summary. */
  readonly callId: string | undefined;
  readonly kinds: readonly string[];
}

export interface Wire {
  readonly contentType: string;
  readonly body: string;
  readonly query: string;
}

const form = 'application/x-www-form-urlencoded';
const encoded = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();
const formWire = (fields: Readonly<Record<string, string>>, query = ''): Wire => ({
  contentType: form,
  body: encoded(fields),
  query,
});
const jsonWire = (body: string): Wire => ({ contentType: 'application/json', body, query: '' });

export const formCarrier = { carry: (data: string) => formWire({ data }) };

/** Other ways. All were observed in production. */
export const carriers = [
  { name: 'json-body', probability: 0.05, carry: jsonWire },
  {
    name: 'data-in-query',
    probability: 0.02,
    carry: (data) => ({ contentType: form, body: '', query: encoded({ data }) }),
  },
  {
    name: 'key-beside-data',
    probability: 0.04,
    keyBeside: true,
    carry: (data, Apikey) => formWire({ data, Apikey }),
  },
  { name: 'tenant-in-query', probability: 0.03, carry: (data) => formWire({ data }, 'tenant=north-12') },
] as const satisfies readonly (Choosable & {
  readonly carry: (json: string, apiKey: string) => Wire;
  readonly keyBeside?: true;
})[];

interface Writing extends Choosable {
  readonly write: (value: SentFields | readonly SentFields[]) => string;
}

export const plainWriting: Pick<Writing, 'write'> = { write: (value) => JSON.stringify(value) };

export const writings = [
  { name: 'pretty-printed', probability: 0.04, write: (value) => JSON.stringify(value, undefined, 2) },
  { name: 'escaped-slashes', probability: 0.08, write: (value) => JSON.stringify(value).replaceAll('/', '\\/') },
] as const satisfies readonly Writing[];

interface Shape extends Choosable {
  readonly legs: (call: PlannedCall) => readonly PlannedCall[];
  readonly isList: boolean;
}

export const singleShape: Pick<Shape, 'legs' | 'isList'> = { legs: (call) => [call], isList: false };

/** The id of a leg (its UCID) by its position. It is the same in all deliveries and in the call report. */
export const legIdAt = ({ legId }: PlannedCall, index: number): string => String(BigInt(legId) + BigInt(index * 500));

export const shapes = [
  { name: 'advanced', probability: 0.22, isList: true, legs: (call) => [call] },
  {
    name: 'several-legs',
    probability: 0.03,
    isList: true,
    legs: (call) => [call, { ...call, legId: legIdAt(call, 1) }],
  },
] as const satisfies readonly Shape[];

export const postedContentOf = (
  { legs, isList }: Pick<Shape, 'legs' | 'isList'>,
  call: PlannedCall,
  account: Account,
  rewrite: Rewrite,
): SentFields | readonly SentFields[] =>
  isList
    ? [...legs(call).map((leg) => rewrite(summaryOf(leg, account, 'array'))), ...participantsOf(call, account)]
    : rewrite(summaryOf(call, account, 'single'));

/** A quirk that posts several versions of one call. Only calls with an agent have it. */
interface Timeline extends Choosable {
  readonly wrapsUpLater: boolean;
  readonly versions: (
    random: Random,
    call: PlannedCall,
  ) => readonly { readonly afterSeconds: number; readonly call: PlannedCall }[];
}

const disposedAs = (call: PlannedCall, disposition: string): PlannedCall => ({
  ...call,
  wrapUpSeconds: 0,
  words: { ...call.words, disposition, comments: '' },
});

/** The same call as seen by a part of the service that does not know it was answered. */
export const withLessDetail = (call: PlannedCall): PlannedCall => ({
  ...disposedAs(call, ''),
  scenario: { ...call.scenario, answered: false, recorded: false },
  words: { ...call.words, dialStatus: 'not_answered', agentStatus: 'not_answered', disposition: '', comments: '' },
});

const wrappedUpLater = (disposition: string): Pick<Timeline, 'wrapsUpLater' | 'versions'> => ({
  wrapsUpLater: true,
  versions: (_, call) => [
    { afterSeconds: 0, call: disposedAs(call, disposition) },
    { afterSeconds: call.wrapUpSeconds, call },
  ],
});

export const timelines = [
  { name: 'late-disposition', probability: 0.2, ...wrappedUpLater('') },
  { name: 'wrap-up-exceeded', probability: 0.06, ...wrappedUpLater('Wrap up time exceeded :120') },
  {
    name: 'less-complete-later',
    probability: 0.04,
    wrapsUpLater: false,
    versions: (random, call) => [
      { afterSeconds: 0, call },
      { afterSeconds: between(random, 5, 20), call: withLessDetail(call) },
    ],
  },
] as const satisfies readonly Timeline[];

/** Quirks that send the same body again, byte for byte, as posts have no message id. */
export const repeats = [
  {
    name: 'redelivery',
    probability: 0.06,
    copies(random, posts) {
      const post = pick(random, posts);
      const copy = (index: number) => ({
        ...post,
        afterSeconds: post.afterSeconds + (index + 1) * between(random, 3, 15),
      });
      return Array.from({ length: between(random, 1, 3) }, (_, index) => copy(index));
    },
  },
  // This happens if the address is configured for the campaign and for the account.
  { name: 'twice-at-once', probability: 0.04, copies: (_, posts) => posts },
] as const satisfies readonly (Choosable & {
  readonly copies: (random: Random, posts: readonly Post[]) => readonly Post[];
})[];

const agentIdOf = ({ engagements: [first] }: PlannedCall): string => first?.agent.id ?? '';

/** Other posts of the service to the same address. They are no call's summary, and are sent just before one. */
export const otherPosts = [
  {
    name: 'screen-pop',
    probability: 0.03,
    wire: (call, account) =>
      formCarrier.carry(
        JSON.stringify({
          ucid: bareNumber(call.id),
          callerID: call.customer,
          did: call.campaign.did,
          skillName: call.campaign.skill,
          agentID: agentIdOf(call),
          type: call.type,
          uui: call.userText,
          Apikey: keyOf(account),
        }),
      ),
  },
  {
    // Subscriptions send the account's name but no key.
    name: 'call-event',
    probability: 0.03,
    wire: (call, account) =>
      jsonWire(
        JSON.stringify({
          ...eventOf('Call', 'Disconnect', call, account),
          call_type: call.type,
          ucid: call.id,
          monitor_ucid: call.id,
          agent_id: agentIdOf(call),
          caller_id: call.customer,
        }),
      ),
  },
  {
    name: 'agent-event',
    probability: 0.02,
    wire: (call, account) =>
      formCarrier.carry(
        JSON.stringify({
          ...eventOf('Agent', 'ACW', call, account),
          agent_id: agentIdOf(call),
          Apikey: keyOf(account),
        }),
      ),
  },
  {
    name: 'crm-template',
    probability: 0.01,
    wire: ({ id }, account) =>
      formWire({ subject: `Call ${id}`, description: 'Answered; see the recording', Apikey: keyOf(account) }),
  },
] as const satisfies readonly (Choosable & {
  readonly wire: (call: PlannedCall, account: Account) => Wire;
})[];

const eventOf = (eventType: string, action: string, call: PlannedCall, account: Account) => ({
  eventType,
  eventTime: wallTime(call.endedAt, account.timeZone),
  username: account.userName,
  action,
});

import type { Call } from '../floor/call.ts';
import type { Choosable } from '../random.ts';
import { keyOf, type SimulatedAccount } from '../settings.ts';
import { bareNumber, type Layout, localTime, objectText } from '../summary.ts';

/** One HTTP POST to the receiver. */
export interface Post {
  /** Seconds after the first post of the call. Posts with the same number are sent at the same time. */
  readonly afterSeconds: number;
  readonly contentType: string;
  readonly body: string;
  /** The query of the address; usually empty. */
  readonly query: string;
  /** Digits; undefined if the post is no call summary. */
  readonly callId: string | undefined;
  /** The scenario, then the quirks. */
  readonly kinds: readonly string[];
}

/** The content of the HTTP request. */
export type Wire = Pick<Post, 'contentType' | 'body' | 'query'>;

/** A way to put a JSON text into an HTTP request. */
export interface Carrier extends Choosable {
  /** Whether the account's key is sent beside the JSON instead of in it. */
  readonly keyBeside: boolean;
  readonly carry: (json: string, apiKey: string) => Wire;
}

const form = 'application/x-www-form-urlencoded';

const formWire = (fields: Readonly<Record<string, string>>): Wire => ({
  contentType: form,
  body: new URLSearchParams(fields).toString(),
  query: '',
});

const jsonWire = (body: string): Wire => ({ contentType: 'application/json', body, query: '' });

/** The form field `data`: the usual way. */
export const formCarrier = { keyBeside: false, carry: (json: string) => formWire({ data: json }) } as const;

/** Other ways. All were observed in production. */
export const carriers = [
  { name: 'json-body', probability: 0.05, keyBeside: false, carry: jsonWire },
  {
    name: 'data-in-query',
    probability: 0.02,
    keyBeside: false,
    carry: (data) => ({ contentType: form, body: '', query: new URLSearchParams({ data }).toString() }),
  },
  {
    name: 'key-beside-data',
    probability: 0.04,
    keyBeside: true,
    carry: (data, Apikey) => formWire({ data, Apikey }),
  },
  {
    name: 'tenant-in-query',
    probability: 0.03,
    keyBeside: false,
    carry: (data) => ({ ...formWire({ data }), query: 'tenant=north-12' }),
  },
] as const satisfies readonly Carrier[];

/** A way to write the JSON text. */
export interface Writing extends Choosable {
  readonly layout: Layout;
  /** How a slash is written. */
  readonly slash: string;
}

/** On one line, with plain slashes: the usual way. */
export const plainWriting = { layout: 'compact', slash: '/' } as const;

/** Other ways with the same meaning. */
export const writings = [
  { name: 'pretty-printed', probability: 0.04, layout: 'pretty', slash: '/' },
  { name: 'escaped-slashes', probability: 0.08, layout: 'compact', slash: '\\/' },
] as const satisfies readonly Writing[];

/** A post about a call that is not its summary. */
export interface OtherPost extends Choosable {
  readonly wire: (call: Call, account: SimulatedAccount) => Wire;
}

/** Other posts that the service sends to the same address. */
export const otherPosts = [
  {
    name: 'screen-pop',
    probability: 0.03,
    wire: (call, account) => formWire({ data: objectText(screenPop(call, account), 'compact') }),
  },
  {
    // Subscriptions send the account's name but no key.
    name: 'call-event',
    probability: 0.03,
    wire: (call, account) => jsonWire(objectText(callEvent(call, account), 'compact')),
  },
  {
    name: 'agent-event',
    probability: 0.02,
    wire: (call, account) => formWire({ data: objectText(agentEvent(call, account), 'compact') }),
  },
  {
    name: 'crm-template',
    probability: 0.01,
    wire: (call, account) =>
      formWire({ subject: `Call ${call.id}`, description: 'Answered; see the recording', Apikey: keyOf(account) }),
  },
] as const satisfies readonly OtherPost[];

/** Such a post. It is sent just before the call's summary. */
export const otherPost = (other: (typeof otherPosts)[number], call: Call, account: SimulatedAccount): Post => ({
  ...other.wire(call, account),
  afterSeconds: 0,
  callId: undefined,
  kinds: [other.name],
});

const screenPop = (call: Call, account: SimulatedAccount) => ({
  ucid: bareNumber(call.id),
  callerID: call.customer,
  did: call.campaign.did,
  skillName: call.campaign.skill,
  agentID: call.engagements[0]?.agent.id ?? '',
  type: call.type,
  uui: call.userText,
  Apikey: keyOf(account),
});

const callEvent = (call: Call, account: SimulatedAccount) => ({
  eventType: 'Call',
  eventTime: localTime(call.endedAt, account.timeZone),
  username: account.userName,
  action: 'Disconnect',
  call_type: call.type,
  ucid: call.id,
  monitor_ucid: call.id,
  agent_id: call.engagements[0]?.agent.id ?? '',
  caller_id: call.customer,
});

const agentEvent = (call: Call, account: SimulatedAccount) => ({
  eventType: 'Agent',
  eventTime: localTime(call.endedAt, account.timeZone),
  username: account.userName,
  action: 'ACW',
  agent_id: call.engagements[0]?.agent.id ?? '',
  Apikey: keyOf(account),
});

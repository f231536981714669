import type { Account } from '../account.ts';
import type { Call } from '../floor/call.ts';
import type { Choosable } from '../quirks/choose.ts';
import { localTime } from '../summary/local-time.ts';
import { bare, objectText } from '../summary/value.ts';
import { formWire, jsonWire } from './carriers.ts';
import type { Post, Wire } from './post.ts';

/** A post of the service that speaks of a call and is not its summary. */
export interface OtherPost extends Choosable {
  readonly wire: (call: Call, account: Account) => Wire;
}

/** What the same address may receive besides summaries. */
export const otherPosts = [
  {
    name: 'screen-pop',
    probability: 0.03,
    wire: (call, account) => formWire({ data: objectText(screenPop(call, account), 'compact') }),
  },
  {
    // A subscription names the account and carries no key.
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
      formWire({ subject: `Call ${call.id}`, description: 'Answered; see the recording', Apikey: account.apiKey }),
  },
] as const satisfies readonly OtherPost[];

/** Such a post as it leaves just before the call's summary. */
export const otherPost = (other: (typeof otherPosts)[number], call: Call, account: Account): Post => ({
  ...other.wire(call, account),
  afterSeconds: 0,
  callId: undefined,
  kinds: [other.name],
});

const screenPop = (call: Call, account: Account) => ({
  ucid: bare(call.id),
  callerID: call.customer,
  did: call.campaign.did,
  skillName: call.campaign.skill,
  agentID: call.engagements[0]?.agent.id ?? '',
  type: call.type,
  uui: call.userText,
  Apikey: account.apiKey,
});

const callEvent = (call: Call, account: Account) => ({
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

const agentEvent = (call: Call, account: Account) => ({
  eventType: 'Agent',
  eventTime: localTime(call.endedAt, account.timeZone),
  username: account.userName,
  action: 'ACW',
  agent_id: call.engagements[0]?.agent.id ?? '',
  Apikey: account.apiKey,
});

import type { Account } from '../account.ts';
import type { Call } from '../floor/call.ts';
import { agentChains, byLastAgent, perAgent } from './chain.ts';
import { clockOf, localTime } from './local-time.ts';
import { bare, type Fields } from './value.ts';

/** A call alone, or as the head of an array. */
export type Shape = 'single' | 'array';

/** A call summary with every field of the contract and no quirk. The two shapes differ as their samples do. */
export const summaryOf = (call: Call, account: Account, shape: Shape): Fields => {
  const { campaign, engagements, scenario, words } = call;
  const agent = engagements.at(-1)?.agent;

  return {
    monitorUCID: call.id,
    UUI: call.userText,
    [shape === 'array' ? 'DID' : 'Did']: campaign.did,
    CampaignName: campaign.name,
    CampaignStatus: 'ONLINE',
    Location: campaign.location,
    CallerID: call.customer,
    PhoneName: agent === undefined ? '' : `${agent.id}-phone`,
    Skill: campaign.skill,
    ...timesOf(call, account.timeZone),
    FallBackRule: words.fallBackRule,
    DialedNumber: (call.type === 'Inbound' ? agent?.number : call.customer) ?? '',
    Type: call.type,
    ...agentChains(call),
    AgentPhoneNumber: agent?.number ?? '',
    AgentStatus: perAgent(call, words.agentStatus),
    CustomerStatus: perAgent(call, words.customerStatus),
    DialStatus: perAgent(call, words.dialStatus),
    Disposition: byLastAgent(call, words.disposition),
    Comments: byLastAgent(call, words.comments),
    HangupBy: words.hangupBy,
    Status: scenario.answered ? 'Answered' : 'NotAnswered',
    AudioFile: scenario.recorded ? recordingUrl(call, '1') : '',
    CallerConfAudioFile: scenario.conference ? recordingUrl(call, 'conference-1') : '',
    ...transferOf(call),
    Apikey: account.apiKey,
    UserName: account.userName,
    ...(shape === 'array' ? arrayExtras(call) : {}),
  };
};

/** Where a recording of a call would be. Nothing is there. */
export const recordingUrl = ({ id }: Call, name: string): string => `https://recordings.example.com/${id}-${name}.mp3`;

const timesOf = (call: Call, timeZone: string) => ({
  StartTime: localTime(call.startedAt, timeZone),
  EndTime: localTime(call.endedAt, timeZone),
  TimeToAnswer: call.scenario.answered && call.engagements.length > 0 ? clockOf(call.ringSeconds) : '',
  CallDuration: clockOf(call.ringSeconds + call.talkSeconds),
  Duration: clockOf(call.talkSeconds),
  ConfDuration: clockOf(call.conferenceSeconds),
});

/** A transfer between agents is one record, and its lists begin with what the first agent was: not transferred. */
const transferOf = (call: Call) => {
  const { transfer = 'No Transfers' } = call.scenario;
  if (transfer !== 'Agent') return { TransferType: transfer, TransferredTo: call.transferredTo };

  return {
    TransferType: perAgent(call, 'Agent').replace('Agent', 'No Transfers'),
    TransferredTo: byLastAgent(call, call.transferredTo),
  };
};

const arrayExtras = (call: Call): Fields => ({
  ...(call.engagements.length === 1 ? { AgentUniqueID: bare(agentChains(call).AgentUniqueID) } : {}),
  DataUniqueId: call.entryId,
  HoldDuration: clockOf(call.holdSeconds),
  WrapUpDuration: clockOf(call.wrapUpSeconds),
  CallID: bare(call.legId),
  UCID: bare(call.id),
});

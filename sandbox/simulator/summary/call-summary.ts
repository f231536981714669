import type { Call } from '../floor/call.ts';
import type { SimulatedAccount } from '../service/accounts.ts';
import { bareNumber, type Fields } from './fields.ts';

/** Joins what the parties of a call were, had or said. */
const chain = (links: readonly string[]): string => links.join(' -> ');

/** A word once for every agent; once also where none took part. */
const perAgent = ({ engagements }: Call, word: string): string =>
  chain(Array.from({ length: Math.max(1, engagements.length) }, () => word));

/** A word for the last agent only; the others have nothing to say. */
const byLastAgent = ({ engagements }: Call, word: string): string =>
  word === '' ? '' : chain([...engagements.slice(1).map(() => ''), word]);

/**
 * The agents of a call as the service lists them: ids by the alphabet, unique ids by size, names by their turn and
 * one short when there are many. None of the lists lines up with another, nor do they in life.
 */
const agentChains = ({ engagements }: Call) => {
  const agents = engagements.map(({ agent }) => agent);
  const names = agents.map(({ name }) => name);

  return {
    AgentID: chain(agents.map(({ id }) => id).sort()),
    AgentUniqueID: chain(agents.map(({ uniqueId }) => uniqueId).sort((one, other) => Number(one) - Number(other))),
    AgentName: chain(names.length > 2 ? names.slice(0, -1) : names),
  };
};

/**
 * An instant (milliseconds since the epoch) on the clock of an IANA zone.
 *
 * @example localTime(0, 'Asia/Kolkata') // '1970-01-01 05:30:00'
 */
export const localTime = (at: number, timeZone: string): string => formatFor(timeZone).format(at);

/** To construct a format takes far longer than to use it. */
const formats = new Map<string, Intl.DateTimeFormat>();

const formatFor = (timeZone: string): Intl.DateTimeFormat => {
  // Sweden writes dates as the service does.
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(timeZone, format);
  return format;
};

/**
 * Seconds as the service writes them.
 *
 * @example clockOf(90) // '00:01:30'
 */
export const formatDuration = (seconds: number): string =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');

/** The seconds in `HH:MM:SS`. */
export const parseDuration = (clock: string): number =>
  clock.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0);

/** A call alone, or as the head of an array. */
export type SummaryShape = 'single' | 'array';

/** A call summary with every field of the contract and no quirk. The two shapes differ as their samples do. */
export const summaryOf = (call: Call, account: SimulatedAccount, shape: SummaryShape): Fields => {
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
  TimeToAnswer: call.scenario.answered && call.engagements.length > 0 ? formatDuration(call.ringSeconds) : '',
  CallDuration: formatDuration(call.ringSeconds + call.talkSeconds),
  Duration: formatDuration(call.talkSeconds),
  ConfDuration: formatDuration(call.conferenceSeconds),
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
  ...(call.engagements.length === 1 ? { AgentUniqueID: bareNumber(agentChains(call).AgentUniqueID) } : {}),
  DataUniqueId: call.entryId,
  HoldDuration: formatDuration(call.holdSeconds),
  WrapUpDuration: formatDuration(call.wrapUpSeconds),
  CallID: bareNumber(call.legId),
  UCID: bareNumber(call.id),
});

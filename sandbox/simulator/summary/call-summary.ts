import type { Call } from '../floor/call.ts';
import type { SimulatedAccount } from '../settings.ts';
import { bareNumber, type Fields } from './fields.ts';

/** A summary alone, or the first element of an array. */
export type SummaryShape = 'single' | 'array';

/** A call summary with every field of the contract and no quirk. The shapes differ as in the specification's samples. */
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

const timesOf = (call: Call, timeZone: string) => ({
  StartTime: localTime(call.startedAt, timeZone),
  EndTime: localTime(call.endedAt, timeZone),
  TimeToAnswer: call.scenario.answered && call.engagements.length > 0 ? formatDuration(call.ringSeconds) : '',
  CallDuration: formatDuration(call.ringSeconds + call.talkSeconds),
  Duration: formatDuration(call.talkSeconds),
  ConfDuration: formatDuration(call.conferenceSeconds),
});

/** A transfer between agents is one record. Its lists begin with the first agent, who was not transferred to. */
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
  CallID: bareNumber(call.id),
  UCID: bareNumber(call.legId),
});

/** Joins the values of all parties of a call. */
const chain = (links: readonly string[]): string => links.join(' -> ');

/** A value once for each agent, or once if no agent took part. */
const perAgent = ({ engagements }: Call, word: string): string =>
  chain(Array.from({ length: Math.max(1, engagements.length) }, () => word));

/** A value for the last agent, and blanks for the others. */
const byLastAgent = ({ engagements }: Call, word: string): string =>
  word === '' ? '' : chain([...engagements.slice(1).map(() => ''), word]);

/**
 * The agents of a call as the service lists them. Ids are sorted as text, unique ids as numbers, and names by turn. Of
 * more than two names the last is missing. The positions in these lists do not match, as in the real service.
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

/** The host of recordings. It exists in the simulator only. */
export const recordingsHost = 'recordings.example.com';

/** The URL of a recording. */
export const recordingUrl = ({ id }: Call, name: string): string => `https://${recordingsHost}/${id}-${name}.mp3`;

/**
 * An instant (milliseconds since the epoch) as local time of an IANA zone.
 *
 * @example localTime(0, 'Asia/Kolkata') // '1970-01-01 05:30:00'
 */
export const localTime = (at: number, timeZone: string): string => formatFor(timeZone).format(at);

/** Formats are cached, as constructing one takes far longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

const formatFor = (timeZone: string): Intl.DateTimeFormat => {
  // The Swedish date format is the one of the service.
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(timeZone, format);
  return format;
};

/**
 * Seconds as the service writes them.
 *
 * @example formatDuration(90) // '00:01:30'
 */
export const formatDuration = (seconds: number): string =>
  [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
    .map((part) => String(part).padStart(2, '0'))
    .join(':');

/** The seconds in `HH:MM:SS`. */
export const parseDuration = (clock: string): number =>
  clock.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0);

import type { Call } from './floor/call.ts';
import type { Choosable, Random } from './random.ts';
import { keyOf, type SimulatedAccount } from './settings.ts';

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
    Apikey: keyOf(account),
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

/** A value as the service writes it: text, a bare number with exactly these digits, or JSON null. */
export type Value = string | { readonly digits: string } | null;

/** The members of a JSON object in their written order. */
export type Fields = Readonly<Record<string, Value>>;

/** A bare JSON number with exactly these digits. A JavaScript number would round long ones. */
export const bareNumber = (digits: string): Value => ({ digits });

/**
 * The fields with some texts replaced. Missing, blank and non-text fields stay unchanged.
 *
 * @example withTexts({ Type: 'Inbound' }, ['Type'], (type) => type.toLowerCase()) // { Type: 'inbound' }
 */
export const withTexts = (fields: Fields, keys: readonly string[], change: (text: string) => Value): Fields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) =>
      keys.includes(key) && typeof value === 'string' && value !== '' ? [key, change(value)] : [key, value],
    ),
  );

/** JSON on one line, or on several indented lines. */
export type Layout = 'compact' | 'pretty';

/** The JSON text of an object, written by hand so that bare digits survive. */
export const objectText = (fields: Fields, layout: Layout, indent = ''): string => {
  const [open, between, colon, close] =
    layout === 'pretty' ? [`{\n${indent}  `, `,\n${indent}  `, ': ', `\n${indent}}`] : ['{', ',', ':', '}'];
  const members = Object.entries(fields).map(([key, value]) => `${JSON.stringify(key)}${colon}${valueText(value)}`);

  return `${open}${members.join(between)}${close}`;
};

/** The JSON text of an array of objects. */
export const arrayText = (items: readonly Fields[], layout: Layout): string => {
  if (layout === 'compact') return `[${items.map((item) => objectText(item, layout)).join(',')}]`;
  return `[\n${items.map((item) => `  ${objectText(item, layout, '  ')}`).join(',\n')}\n]`;
};

const valueText = (value: Value): string =>
  value !== null && typeof value === 'object' ? value.digits : JSON.stringify(value);

/** Rewrites the fields of a summary. */
export type Rewrite = (fields: Fields) => Fields;

/** The call and account of the fields. */
export interface QuirkSubject {
  readonly call: Call;
  readonly account: SimulatedAccount;
}

/**
 * A quirk in how the service writes a summary. It draws once per call. The returned rewrite applies to every delivery
 * and leg of that call, as the service does not change its format between two posts of one call.
 */
export interface FieldQuirk extends Choosable {
  /** Whether the quirk can occur in a call. Default: in every call. */
  readonly appliesTo?: (call: Call) => boolean;
  /** Whether it changes the content and not only its spelling. The call report then has the same content. */
  readonly isContent?: true;
  readonly prepare: (random: Random, subject: QuirkSubject) => Rewrite;
}

import { keysOf } from '../core/collections.ts';
import { instantOf, secondsFrom } from '../core/time.ts';
import {
  type Field,
  type Fields,
  idOf,
  isRoundedId,
  type Reading,
  splitChain,
  splitTextChain,
} from './posted-fields.ts';
import { readRecordings } from './recording-links.ts';
import * as vocabularies from './vocabularies.ts';
import { type AddedWords, lookUpWord, type Vocabulary } from './vocabularies.ts';

const field = <const Kind extends string, Fact extends string, Value, AsSent = never>(
  kind: Kind,
  fact: Fact,
  maxLength: number | undefined,
  read: (sent: string, timeZone: string, added?: AddedWords) => Reading<Value, AsSent>,
): Field<Kind, Fact, Value, AsSent> => ({ kind, fact, maxLength, read });

const text = <const Fact extends string>(fact: Fact, maxLength?: number) =>
  field('text', fact, maxLength, (sent) => ({ value: sent }));

/** An id. A placeholder is blank. */
const id = <const Fact extends string>(fact: Fact, maxLength?: number) =>
  field('id', fact, maxLength, (sent) =>
    isRoundedId(sent) ? { note: { reason: 'rounded-id', asSent: sent } } : { value: idOf(sent) },
  );

/** Ids that a transfer or conference joined with arrows. */
const idChain = <const Fact extends string>(fact: Fact, maxLength?: number) =>
  field('chain', fact, maxLength, (sent) => {
    const ids = splitChain(sent) ?? [];
    const exact = ids.filter((id) => !isRoundedId(id)).map((id) => idOf(id) ?? id);
    return {
      value: exact.length === 0 ? undefined : exact,
      note: exact.length < ids.length ? { reason: 'rounded-id', asSent: sent } : undefined,
    };
  });

/** Names, steps or targets that a transfer or conference joined with arrows. */
const chain = <const Fact extends string>(fact: Fact, maxLength?: number) =>
  field('chain', fact, maxLength, (sent) => ({ value: splitChain(sent) }));

/** Texts written by people that a transfer or conference joined with arrows. */
const textChain = <const Fact extends string>(fact: Fact, maxLength?: number) =>
  field('text-chain', fact, maxLength, (sent) => ({ value: splitTextChain(sent) }));

/** Links to recordings. A word in place of one is a note. */
const urls = <const Fact extends string>(fact: Fact, maxLength?: number) => ({
  ...field('urls', fact, maxLength, (sent) => {
    const { links, words } = readRecordings(sent);
    return {
      ...(links.length > 0 && { value: links }),
      ...(words.length > 0 && { note: { reason: 'no-link' as const, asSent: sent } }),
    };
  }),
  isList: true as const,
});

const duration = <const Fact extends string>(fact: Fact) =>
  field('duration', fact, undefined, (sent) => {
    const value = secondsFrom(sent);
    return value === undefined ? { note: { reason: 'unparsable-duration', asSent: sent } } : { value };
  });

const time = <const Fact extends string>(fact: Fact) =>
  field('time', fact, undefined, (sent, timeZone) => {
    const found = instantOf(sent, timeZone);
    if (found === undefined) return { note: { reason: 'unparsable-time', asSent: sent } };
    const { at, note, local } = found;
    return { value: at, note: note && { reason: note, ...(local !== undefined && { asSent: local }) } };
  });

const word = <const Fact extends string, Word extends string>(
  fact: Fact,
  vocabulary: Vocabulary<Word>,
  maxLength?: number,
) => ({
  ...field('word', fact, maxLength, (sent, _timeZone, added) => {
    const { word, asSent } = lookUpWord(vocabulary, sent, added);
    return { value: word, asSent };
  }),
  vocabulary,
});

/** Words of a vocabulary in a chain. If one is unknown or has a parameter, all of them are kept as sent too. */
const words = <const Fact extends string, Word extends string>(
  fact: Fact,
  vocabulary: Vocabulary<Word>,
  maxLength?: number,
) => ({
  ...field('words', fact, maxLength, (sent, _timeZone, added) => {
    const parts = splitChain(sent);
    const matches = parts?.map((part) => lookUpWord(vocabulary, part, added));
    const hasLess = matches?.some(({ asSent }) => asSent !== undefined);
    return { value: matches?.map(({ word }) => word), asSent: hasLess ? parts : undefined };
  }),
  vocabulary,
});

const noValue = (): Reading<never, never> => ({});

/** The id that becomes the record’s key. Here it is only read to note what is odd about it. Another note has its text. */
const key = <const Fact extends string>(fact: Fact, maxLength?: number) =>
  field('key', fact, maxLength, (sent) => (isRoundedId(sent) ? { note: { reason: 'rounded-id' } } : noValue()));

/** A field that only decides the account. It becomes no fact. */
const sender = (maxLength: number) => field('sender', 'account', maxLength, noValue);

/**
 * The fields of a call summary in the sender's spelling: how each is read, the fact that it becomes, and its documented
 * maximum length in characters. Real values exceed these lengths. Any field may come as text or as a number, and any may
 * be missing. The spelling of a key varies from post to post; `fieldTexts` maps it to this one.
 */
export const callFields = {
  AgentID: chain('agentIds', 255),
  AgentName: textChain('agentNames', 255),
  AgentPhoneNumber: text('agentPhoneNumber', 20),
  AgentStatus: words('agentStatuses', vocabularies.outcomes, 50),
  AgentUniqueID: idChain('agentUniqueIds', 20),
  Apikey: sender(250),
  AudioFile: urls('recordings', 500),
  CallDuration: duration('callDurationSeconds'),
  CallerConfAudioFile: urls('conferenceRecordings', 500),
  CallerID: text('customerNumber', 255),
  CampaignName: text('campaignName', 255),
  CampaignStatus: word('campaignStatus', vocabularies.campaignStatuses, 20),
  Comments: textChain('comments'),
  ConfDuration: duration('conferenceSeconds'),
  CustomerStatus: words('customerStatuses', vocabularies.outcomes, 50),
  DialStatus: words('dialStatuses', vocabularies.outcomes, 100),
  DialedNumber: text('dialledNumber', 20),
  dId: text('did', 30),
  Disposition: textChain('dispositions', 100),
  Duration: duration('durationSeconds'),
  EndTime: time('endedAt'),
  FallBackRule: chain('fallbackSteps', 255),
  HangupBy: word('hangupBy', vocabularies.hangupParties, 100),
  Location: text('location', 255),
  monitorUCID: key('callId', 20),
  PhoneName: text('phoneName', 20),
  Skill: text('skillName', 255),
  StartTime: time('startedAt'),
  Status: word('status', vocabularies.callStatuses),
  TimeToAnswer: duration('timeToAnswerSeconds'),
  TransferType: words('transferTypes', vocabularies.transferTypes, 30),
  TransferredTo: chain('transferredTo', 30),
  Type: word('type', vocabularies.callTypes, 20),
  UserName: sender(50),
  UUI: text('uui', 50),
  DataUniqueId: id('dataUniqueId'),
  HoldDuration: duration('holdSeconds'),
  WrapUpDuration: duration('wrapUpSeconds'),
  CallID: id('sourceCallId'),
  UCID: id('ucid'),
} as const satisfies Fields;

export type WireCallField = keyof typeof callFields;

export const wireCallFields = keysOf(callFields);

/** The fields of a participant record, as above. Neither a length nor which of them are required is documented. */
export const participantFields = {
  AgentName: text('agentName'),
  Audio: urls('recordings'),
  CallID: id('sourceCallId'),
  DID: text('did'),
  DialStatus: word('dialStatus', vocabularies.outcomes),
  EndTime: time('endedAt'),
  ExitStatus: text('exitStatus'),
  ParticipantNumber: text('participantNumber'),
  PickupTime: time('pickedUpAt'),
  StartTime: time('startedAt'),
  UCID: id('ucid'),
} as const satisfies Fields;

export type WireParticipantField = keyof typeof participantFields;

export const wireParticipantFields = keysOf(participantFields);

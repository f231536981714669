import { keysOf } from '../core/collections.ts';
import {
  chain,
  duration,
  type Fields,
  id,
  idChain,
  key,
  sender,
  text,
  textChain,
  time,
  urls,
  word,
  words,
} from './field-reader.ts';
import * as vocabularies from './vocabularies.ts';

/**
 * The fields of a call summary in the sender's spelling: how each is read, the fact that it becomes, and its documented
 * maximum length in characters. Real values exceed these lengths. Any field may come as text or as a number, and any may
 * be missing. The spelling of a key varies from post to post; `foldKeys` maps it to this one.
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

/** A documented field, in the sender's spelling. */
export type WireCallField = keyof typeof callFields;

/** Every documented field. */
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

/** A documented field, in the sender's spelling. */
export type WireParticipantField = keyof typeof participantFields;

/** Every documented field. */
export const wireParticipantFields = keysOf(participantFields);

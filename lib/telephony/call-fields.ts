/**
 * The fields of a call summary in the sender's spelling, with their documented maximum lengths in characters. Real
 * values exceed these lengths. Any field may come as text or as a number, and any may be missing. The spelling of a key
 * varies from post to post; `foldKeys` maps it to this one.
 */
const documentedFields = [
  ['AgentID', 255],
  ['AgentName', 255],
  ['AgentPhoneNumber', 20],
  ['AgentStatus', 50],
  ['AgentUniqueID', 20],
  ['Apikey', 250],
  ['AudioFile', 500],
  ['CallDuration'],
  ['CallerConfAudioFile', 500],
  ['CallerID', 255],
  ['CampaignName', 255],
  ['CampaignStatus', 20],
  ['Comments'],
  ['ConfDuration'],
  ['CustomerStatus', 50],
  ['DialStatus', 100],
  ['DialedNumber', 20],
  ['dId', 30],
  ['Disposition', 100],
  ['Duration'],
  ['EndTime'],
  ['FallBackRule', 255],
  ['HangupBy', 100],
  ['Location', 255],
  ['monitorUCID', 20],
  ['PhoneName', 20],
  ['Skill', 255],
  ['StartTime'],
  ['Status'],
  ['TimeToAnswer'],
  ['TransferType', 30],
  ['TransferredTo', 30],
  ['Type', 20],
  ['UserName', 50],
  ['UUI', 50],
  ['DataUniqueId'],
  ['HoldDuration'],
  ['WrapUpDuration'],
  ['CallID'],
  ['UCID'],
] as const;

/** A documented field, in the sender's spelling. */
export type WireCallField = (typeof documentedFields)[number][0];

/** Every documented field. */
export const wireCallFields: readonly WireCallField[] = documentedFields.map(([field]) => field);

/** The documented maximum lengths, in characters. */
export const maxLengths: ReadonlyMap<WireCallField, number> = new Map(
  documentedFields.flatMap(([field, maxLength]): [WireCallField, number][] =>
    maxLength === undefined ? [] : [[field, maxLength]],
  ),
);

/** The fields of a participant record in the sender's spelling. Which of them are required is not documented. */
export const wireParticipantFields = [
  'AgentName',
  'Audio',
  'CallID',
  'DID',
  'DialStatus',
  'EndTime',
  'ExitStatus',
  'ParticipantNumber',
  'PickupTime',
  'StartTime',
  'UCID',
] as const;

/** A documented field, in the sender's spelling. */
export type WireParticipantField = (typeof wireParticipantFields)[number];

/** The fields of a participant record as the telephony service posts it. Which of them are required is not documented. */
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

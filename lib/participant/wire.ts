import * as z from 'zod';

const sent = z.union([z.string(), z.number(), z.boolean(), z.null()]).optional();

/** A participant record of an advanced callback as the telephony service posts it. Required fields are not documented. */
export const WireParticipant = z
  .looseObject({
    AgentName: sent,
    Audio: sent,
    CallID: sent,
    DID: sent,
    DialStatus: sent,
    EndTime: sent,
    ExitStatus: sent,
    ParticipantNumber: sent,
    PickupTime: sent,
    StartTime: sent,
    UCID: sent,
  })
  .meta({ title: 'Participant record as sent' });

/** A documented field, in the sender's spelling. */
export type WireParticipantField = keyof typeof WireParticipant.shape;

import * as z from 'zod';

/** Any scalar may come as text or as number, and anything may be missing: which fields are required is not documented. */
const sent = (maxLength?: number) =>
  z
    .union([z.string(), z.number(), z.boolean(), z.null()])
    .optional()
    .meta(maxLength === undefined ? {} : { maxLength });

/**
 * A call summary as the telephony service posts it, in its own spelling and with its documented maximum lengths
 * (characters), which real values exceed. Key spelling varies from post to post; `foldKeys` brings it to this one.
 */
export const WireCallSummary = z
  .looseObject({
    AgentID: sent(255),
    AgentName: sent(255),
    AgentPhoneNumber: sent(20),
    AgentStatus: sent(50),
    AgentUniqueID: sent(20),
    Apikey: sent(250),
    AudioFile: sent(500),
    CallDuration: sent(),
    CallerConfAudioFile: sent(500),
    CallerID: sent(255),
    CampaignName: sent(255),
    CampaignStatus: sent(20),
    Comments: sent(),
    ConfDuration: sent(),
    CustomerStatus: sent(50),
    DialStatus: sent(100),
    DialedNumber: sent(20),
    dId: sent(30),
    Disposition: sent(100),
    Duration: sent(),
    EndTime: sent(),
    FallBackRule: sent(255),
    HangupBy: sent(100),
    Location: sent(255),
    monitorUCID: sent(20),
    PhoneName: sent(20),
    Skill: sent(255),
    StartTime: sent(),
    Status: sent(),
    TimeToAnswer: sent(),
    TransferType: sent(30),
    TransferredTo: sent(30),
    Type: sent(20),
    UserName: sent(50),
    UUI: sent(50),
    DataUniqueId: sent(),
    HoldDuration: sent(),
    WrapUpDuration: sent(),
    CallID: sent(),
    UCID: sent(),
  })
  .meta({ title: 'Call summary as sent' });

/** A documented field, in the sender's spelling. */
export type WireCallField = keyof typeof WireCallSummary.shape;

import { vocabulary } from './vocabulary.ts';

/** Whether the call was answered (Status). */
export const callStatuses = vocabulary(['answered', 'not-answered']);

/** Call types (Type); the sender itself misspells the last. */
export const callTypes = vocabulary(
  ['progressive', 'inbound', 'manual', 'preview', 'mail', 'ivr', 'chat', 'predictive'],
  { Predective: 'predictive' },
);

/** Whether the campaign was online (CampaignStatus). */
export const campaignStatuses = vocabulary(['online', 'offline']);

/** The outcome on the agent's side (AgentStatus). */
export const agentStatuses = vocabulary(['answered', 'not-answered', 'not-dialled', 'user-disconnected'], {
  NotDialed: 'not-dialled',
});

/** The outcome on the customer's side (CustomerStatus). */
export const customerStatuses = vocabulary(
  [
    'invalid-number',
    'congestion',
    'answered',
    'not-answered',
    'no-route-destination',
    'dialling',
    'no-response',
    'isd-disabled',
    'ring',
    'exception',
    'subscriber-absent',
    'invalid-number-format',
    'busy',
    'normal-unspecified',
  ],
  { Dialing: 'dialling', SubcriberAbsent: 'subscriber-absent' },
);

/** The telephony response (DialStatus); `success` occurs in participant records. */
export const dialStatuses = vocabulary([
  'not-answered',
  'answered',
  'ring',
  'invalid-number',
  'exception',
  'normal-unspecified',
  'success',
]);

/** Who ended the call (HangupBy). */
export const hangupParties = vocabulary(['user', 'agent', 'system'], {
  UserHangup: 'user',
  AgentHangup: 'agent',
  SystemHangup: 'system',
});

/** What kind of target the call was transferred to (TransferType). */
export const transferTypes = vocabulary(['agent', 'skill', 'phone-number', 'no-transfer'], {
  'No Transfers': 'no-transfer',
});

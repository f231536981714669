import { vocabulary } from './vocabulary.ts';

/**
 * Whether the call was answered (Status). A word that says that nobody answered is `not-answered`: the field has no other
 * meaning. The service's call report says `Unanswered`.
 */
export const callStatuses = vocabulary({
  answered: ['Answered'],
  'not-answered': ['NotAnswered', 'NoAnswer', 'Unanswered'],
});

/** Call types (Type); the service itself misspells the last. */
export const callTypes = vocabulary({
  progressive: ['Progressive'],
  inbound: ['Inbound'],
  manual: ['Manual'],
  preview: ['Preview'],
  mail: ['Mail'],
  ivr: ['IVR'],
  chat: ['Chat'],
  predictive: ['Predictive', 'Predective'],
});

/** Whether the campaign was online (CampaignStatus). */
export const campaignStatuses = vocabulary({ online: ['ONLINE'], offline: ['OFFLINE'] });

/**
 * How an attempt to reach an agent or a customer ended (AgentStatus, CustomerStatus, DialStatus). It is not documented
 * which word occurs in which of these fields. The service sends most of them in each, so all three know all words.
 * `NoAnswer` is `not-answered`: both say that the telephone rang and nobody took the call.
 */
export const outcomes = vocabulary({
  answered: ['answered'],
  'not-answered': ['not_answered', 'NoAnswer'],
  'not-dialled': ['NotDialed'],
  dialling: ['Dialing'],
  ring: ['ring'],
  busy: ['Busy'],
  rejected: ['Rejected'],
  'no-response': ['NoResponse'],
  'max-dial-time-exceeded': ['MaxDialTimeExceeded'],
  'queue-time-exceeded': ['QTimeExceeded'],
  'user-disconnected': ['user_disconnected'],
  'agent-disconnected': ['agent_disconnect'],
  'invalid-number': ['InvalidNumber', 'invalid_number'],
  'invalid-number-format': ['InvalidNumberFormat'],
  'blocked-number': ['BlockedNumber'],
  'do-not-disturb': ['DND'],
  'isd-disabled': ['ISDDisabled'],
  'subscriber-absent': ['SubcriberAbsent', 'SubscriberAbsent'],
  'no-route-destination': ['NoRouteDestination'],
  congestion: ['Congestion'],
  'network-out-of-order': ['NetworkOutOfOrder'],
  'recovery-on-timer-expiry': ['RecoveryTimerOnExpiry'],
  'authentication-error': ['Authentication error'],
  exception: ['exception'],
  'normal-unspecified': ['NormalUnspecified'],
  failed: ['Fail', 'Failed'],
  success: ['SUCCESS'],
});

/** Who ended the call (HangupBy). */
export const hangupParties = vocabulary({
  user: ['UserHangup', 'user_disconnected'],
  agent: ['AgentHangup', 'agent_disconnect'],
  system: ['SystemHangup'],
});

/** What kind of target the call was transferred to (TransferType). */
export const transferTypes = vocabulary({
  agent: ['Agent'],
  skill: ['Skill'],
  'phone-number': ['Phone Number'],
  'no-transfer': ['No Transfers'],
});

import type { CallFact } from '../../../lib/call-summary/model.ts';
import type { WireCallField } from '../../../lib/call-summary/wire.ts';

/** A field of a call summary as it is sent, and where its value is found in ours; in the record's key or among the facts. */
export interface FieldRow {
  readonly field: WireCallField | 'SkillID';
  readonly sent: string | number;
  readonly fact: CallFact | 'callId' | 'leg';
  readonly value: unknown;
}

const row = (field: FieldRow['field'], sent: FieldRow['sent'], fact: FieldRow['fact'], value: unknown): FieldRow => ({
  field,
  sent,
  fact,
  value,
});

const recording = 'https://recordings.example.com/1.mp3';

/** Every field that is documented, and those that samples carry beside them. Every fact of ours is the result of some row. */
export const fieldRows: readonly FieldRow[] = [
  row('AgentID', 'agent1', 'agentIds', ['agent1']),
  row('AgentName', 'Asha Rao', 'agentNames', ['Asha Rao']),
  row('AgentPhoneNumber', '09000000001', 'agentPhoneNumber', '09000000001'),
  row('AgentStatus', 'not_answered', 'agentStatuses', ['not-answered']),
  row('AgentStatus', 'agent_disconnect', 'agentStatusesAsSent', ['agent_disconnect']),
  row('AgentUniqueID', 5436, 'agentUniqueIds', ['5436']),
  row('AudioFile', recording, 'recordings', [recording]),
  row('CallDuration', '00:04:10', 'callDurationSeconds', 250),
  row('CallerConfAudioFile', recording, 'conferenceRecordings', [recording]),
  row('CallerID', '09000000042', 'customerNumber', '09000000042'),
  row('CampaignName', 'Support', 'campaignName', 'Support'),
  row('CampaignStatus', 'ONLINE', 'campaignStatus', 'online'),
  row('CampaignStatus', 'PAUSED', 'campaignStatusAsSent', 'PAUSED'),
  row('Comments', 'Wants a call back', 'comments', ['Wants a call back']),
  row('ConfDuration', '00:00:59', 'conferenceSeconds', 59),
  row('CustomerStatus', 'SubcriberAbsent', 'customerStatuses', ['subscriber-absent']),
  row('CustomerStatus', 'BlockedNumber', 'customerStatusesAsSent', ['BlockedNumber']),
  row('DialStatus', 'invalid_number', 'dialStatuses', ['invalid-number']),
  row('DialStatus', 'MaxDialTimeExceeded', 'dialStatusesAsSent', ['MaxDialTimeExceeded']),
  row('DialedNumber', '09000000001', 'dialledNumber', '09000000001'),
  row('dId', '918000000000', 'did', '918000000000'),
  row('Disposition', 'Sale', 'dispositions', ['Sale']),
  row('Duration', '00:03:52', 'durationSeconds', 232),
  row('EndTime', '2026-11-20 11:04:10', 'endedAt', '2026-11-20T05:34:10.000Z'),
  row('FallBackRule', 'AgentDial -> Skill', 'fallbackSteps', ['AgentDial', 'Skill']),
  row('HangupBy', 'UserHangup', 'hangupBy', 'user'),
  row('HangupBy', 'NetworkHangup', 'hangupByAsSent', 'NetworkHangup'),
  row('Location', 'Bengaluru', 'location', 'Bengaluru'),
  row('monitorUCID', '41781234567890123', 'callId', '41781234567890123'),
  row('PhoneName', 'Desk 1', 'phoneName', 'Desk 1'),
  row('Skill', 'General', 'skillName', 'General'),
  row('StartTime', '2026-11-20 11:00:00', 'startedAt', '2026-11-20T05:30:00.000Z'),
  row('StartTime', '2026-11-20 11:00:00', 'timeZone', 'Asia/Kolkata'),
  row('StartTime', 'soon', 'notes', [{ field: 'startedAt', reason: 'unparsable-time', asSent: 'soon' }]),
  row('Status', 'Answered', 'status', 'answered'),
  row('Status', 'Fail', 'statusAsSent', 'Fail'),
  row('TimeToAnswer', '00:00:18', 'timeToAnswerSeconds', 18),
  row('TransferType', 'Phone Number', 'transferTypes', ['phone-number']),
  row('TransferType', 'Robot', 'transferTypesAsSent', ['Robot']),
  row('TransferredTo', 'Second line', 'transferredTo', ['Second line']),
  row('Type', 'Inbound', 'type', 'inbound'),
  row('Type', 'Fax', 'typeAsSent', 'Fax'),
  row('UUI', 'order 7', 'uui', 'order 7'),
  row('UUI', 'SkillTransfer-41781234567890122~agent1', 'linkedCallId', '41781234567890122'),
  row('DataUniqueId', 'd-1', 'dataUniqueId', 'd-1'),
  row('HoldDuration', '00:00:07', 'holdSeconds', 7),
  row('WrapUpDuration', '00:01:00', 'wrapUpSeconds', 60),
  row('CallID', 88, 'sourceCallId', '88'),
  row('CallID', 88, 'leg', '88'),
  row('UCID', 99, 'ucid', '99'),
  row('UCID', 99, 'leg', '99'),
  row('SkillID', 17, 'extra', { SkillID: '17' }),
];

/** What only names the sender: it is checked, and the record is filed under the account that it proves. */
export const senderFields = ['Apikey', 'UserName'] as const;

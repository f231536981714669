import { formOf, type Request } from '../../test/support/http-api-event.ts';
import { peerAccount } from '../peers/peer.ts';

/** What the summaries say of people: none of it may be in a log. */
export const people = {
  customer: '09000000042',
  agent: 'Asha Rao',
  agentNumber: '09000000001',
  recording: 'https://recordings.example.com/demo/first.mp3',
} as const;

/** An answered call as the service tells it at once; `more` says what is different. */
export const summaryOf = (callId: string, more: Readonly<Record<string, unknown>> = {}) => ({
  AgentID: 'asha',
  AgentName: people.agent,
  AgentPhoneNumber: people.agentNumber,
  AgentStatus: 'answered',
  Apikey: peerAccount.key,
  AudioFile: people.recording,
  CallDuration: '00:04:10',
  CallerID: people.customer,
  CampaignName: 'Support',
  CustomerStatus: 'answered',
  Did: '918000000000',
  Disposition: '',
  Duration: '00:03:52',
  EndTime: '2026-11-20 11:04:10',
  HangupBy: 'UserHangup',
  monitorUCID: callId,
  Skill: 'General',
  StartTime: '2026-11-20 11:00:00',
  Status: 'Answered',
  Type: 'Inbound',
  UserName: peerAccount.userName,
  ...more,
});

/** The request that brings it; a text goes as it is. */
export const postOf = (data: unknown): Request => ({ body: formOf(data) });

import type { Story } from '../story.ts';

/** A call summary of the story's account. */
export const summary = ({ name, key }: Pick<Story, 'name' | 'key'>, fields: object = {}): object => ({
  monitorUCID: '41781234567890123',
  Apikey: key,
  UserName: name,
  Status: 'Answered',
  CallerID: '09000000042',
  AgentID: 'asha',
  AgentName: 'Asha Rao',
  StartTime: '2027-01-01 11:00:00',
  EndTime: '2027-01-01 11:05:00',
  CallDuration: '00:05:00',
  ...fields,
});

/** A participant of a call. */
export const participant = (fields: object = {}): object => ({
  AgentName: 'Ravi Nair',
  CallID: '41781234567890777',
  DialStatus: 'SUCCESS',
  ExitStatus: 'HANGUP',
  ParticipantNumber: '09000000077',
  PickupTime: '2027-01-01 11:00:18',
  StartTime: '2027-01-01 11:00:02',
  UCID: '41781234567890123',
  ...fields,
});

/** What the agent adds some minutes after the call. */
export const disposed = { Disposition: 'Sale' };

/** A call that went from one agent to another: further agents have index entries of their own. */
export const transferred = { AgentID: 'asha -> ravi -> omar', AgentName: 'Asha Rao -> Ravi Nair -> Omar Ali' };

/** An authenticated post that is no call summary. */
export const notACall = ({ key, name }: Pick<Story, 'name' | 'key'>): object => ({
  Apikey: key,
  UserName: name,
  Event: 'AgentBreak',
});

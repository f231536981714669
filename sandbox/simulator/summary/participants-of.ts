import type { Account } from '../account.ts';
import type { Call } from '../floor/call.ts';
import { localTime } from './local-time.ts';
import { recordingUrl } from './summary-of.ts';
import { bare, type Fields, type Value } from './value.ts';

/** The participant records that follow the summaries in an array: the caller, then every agent. */
export const participantsOf = (call: Call, account: Account): readonly Fields[] => {
  const record = (participant: Participant): Fields => ({
    AgentName: participant.name,
    Audio: participant.audio,
    CallID: bare(participant.legId),
    DID: call.campaign.did,
    DialStatus: 'SUCCESS',
    EndTime: participant.until === undefined ? null : localTime(participant.until, account.timeZone),
    ExitStatus: participant.until === undefined ? '' : 'NORMAL_CLEARING',
    ParticipantNumber: participant.number,
    PickupTime: localTime(participant.from, account.timeZone),
    StartTime: localTime(call.startedAt, account.timeZone),
    UCID: bare(call.id),
  });

  return [
    record({ name: '', audio: null, legId: call.legId, number: call.customer, from: call.startedAt, until: undefined }),
    ...call.engagements.map(({ agent, talksAt, leavesAt }, index) =>
      record({
        name: agent.name,
        audio: call.scenario.recorded ? recordingUrl(call, `${index + 1}`) : null,
        legId: `${BigInt(call.legId) + BigInt(index + 1)}`,
        number: agent.number,
        from: talksAt,
        until: leavesAt,
      }),
    ),
  ];
};

interface Participant {
  readonly name: string;
  readonly audio: Value;
  /** Digits. */
  readonly legId: string;
  readonly number: string;
  readonly from: number;
  /** Undefined where the service never says when the participant left. */
  readonly until: number | undefined;
}

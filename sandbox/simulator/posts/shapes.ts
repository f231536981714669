import type { Call } from '../floor/call.ts';
import type { Choosable } from '../random.ts';
import type { SimulatedAccount } from '../settings.ts';
import {
  arrayText,
  bareNumber,
  type Fields,
  type Layout,
  localTime,
  objectText,
  type Rewrite,
  recordingUrl,
  summaryOf,
  type Value,
} from '../summary.ts';

/** The participant records after the summaries of an array: the caller, then each agent. */
const participantsOf = (call: Call, account: SimulatedAccount): readonly Fields[] => {
  const record = (participant: Participant): Fields => ({
    AgentName: participant.name,
    Audio: participant.audio,
    CallID: bareNumber(participant.legId),
    DID: call.campaign.did,
    DialStatus: 'SUCCESS',
    EndTime: participant.until === undefined ? null : localTime(participant.until, account.timeZone),
    ExitStatus: participant.until === undefined ? '' : 'NORMAL_CLEARING',
    ParticipantNumber: participant.number,
    PickupTime: localTime(participant.from, account.timeZone),
    StartTime: localTime(call.startedAt, account.timeZone),
    UCID: bareNumber(call.id),
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
  /** Undefined if the service never reports when the participant left. */
  readonly until: number | undefined;
}

/** A way to write the summaries of a call as one JSON text. */
export interface Shape extends Choosable {
  /** The legs of a call that it names by their ids. */
  readonly legs: (call: Call) => readonly Call[];
  readonly text: (call: Call, account: SimulatedAccount, rewrite: Rewrite, layout: Layout) => string;
}

/** One object: the usual shape. */
export const singleShape: Pick<Shape, 'legs' | 'text'> = {
  legs: (call) => [call],
  text: (call, account, rewrite, layout) => objectText(rewrite(summaryOf(call, account, 'single')), layout),
};

/** The id of a leg (its UCID) by its position. It is the same in all deliveries and in the call report. */
export const legIdAt = ({ legId }: Call, index: number): string => String(BigInt(legId) + BigInt(index * 500));

const arrayOf = (legs: Shape['legs']): Pick<Shape, 'legs' | 'text'> => ({
  legs,
  text: (call, account, rewrite, layout) =>
    arrayText(
      [...legs(call).map((leg) => rewrite(summaryOf(leg, account, 'array'))), ...participantsOf(call, account)],
      layout,
    ),
});

/** The arrays of an account with AdvancedCallBacks. */
export const shapes = [
  { name: 'advanced', probability: 0.22, ...arrayOf((call) => [call]) },
  { name: 'several-legs', probability: 0.03, ...arrayOf((call) => [call, { ...call, legId: legIdAt(call, 1) }]) },
] as const satisfies readonly Shape[];

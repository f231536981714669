import * as z from 'zod';
import { specificationSummary } from '../../test/fixtures/calls.ts';

export interface Payload {
  readonly name: string;
  readonly data: string;
}

const { monitorUCID, Apikey, UserName, Status, StartTime, Type } = specificationSummary;

const chained = {
  ...specificationSummary,
  AgentID: 'asha -> ravi -> meera',
  AgentName: 'Asha Rao -> Ravi Iyer -> Meera Nair',
  AgentStatus: 'answered -> answered -> not answered',
  AgentUniqueID: '5436 -> 5437 -> 5440',
  AudioFile: `${specificationSummary.AudioFile},${specificationSummary.AudioFile.replace('.mp3', '-2.mp3')}`,
  Comments: 'Wants a call back -> Asked for Meera -> ',
  CustomerStatus: 'answered -> answered',
  DialStatus: 'answered -> answered -> not answered',
  Disposition: 'Transferred -> Sale -> None',
  FallBackRule: 'AgentDial -> Voicemail',
  TransferType: 'Agent -> Agent',
  TransferredTo: ' -> Ravi Iyer -> Meera Nair',
};

const twenty = Array.from({ length: 20 }, (_, index) => ({
  ...specificationSummary,
  monitorUCID: String(41_781_234_567_890_123n + BigInt(index)),
}));

/** Large by one comment. */
const large = { ...specificationSummary, Comments: 'Asked again about the invoice. '.repeat(8_350) };

/** From a short missed call to a row that is nearly too large. */
export const payloads: readonly Payload[] = [
  ['small', { monitorUCID, Apikey, UserName, Status, StartTime, Type }],
  ['typical', specificationSummary],
  ['chained', chained],
  ['array of 20', twenty],
  ['256 KB', large],
].map(([name, value]) => ({ name: String(name), data: JSON.stringify(value) }));

export const stepNames = ['decode', 'minimum', 'form', 'open', 'check', 'normalise'] as const;

/** Microseconds of one callback up to each step, in one round. */
export const Round = z.record(z.enum(stepNames), z.number());
export type Round = z.output<typeof Round>;

export const Timed = z.object({ name: z.string(), bytes: z.int(), rounds: z.array(Round) });
export type Timed = z.output<typeof Timed>;

import fc from 'fast-check';
import { type AnswerKind, answers, type Move, moves, slotsLater } from './happening.ts';

/** What happens before and during one poll. */
export interface Poll {
  readonly slots: number;
  readonly moves: readonly Move[];
  readonly answer: AnswerKind;
  /** After how many steps the polling process dies, if it does. */
  readonly diesAfter?: number | undefined;
  /** Whether a second process polls: at the same time, or in the next slot while the first still waits for its answer. */
  readonly rival: 'none' | 'beside' | 'next-slot';
}

/** How large a floor is, and how long a write takes. */
export interface FloorSize {
  readonly teamSize: number;
  readonly writeMs: number;
}

/** Polls of one floor. */
export interface PortsHistory extends FloorSize {
  readonly polls: readonly Poll[];
}

const poll: fc.Arbitrary<Poll> = fc.record({
  slots: slotsLater,
  moves,
  answer: answers,
  diesAfter: fc.option(fc.nat(16), { freq: 3, nil: undefined }),
  rival: fc.constantFrom('none', 'beside', 'next-slot' as const),
});

/** A floor whose changes fit into one write, and one that takes more writes than one run has time for. */
export const floorSizes = {
  small: { teamSize: 1, writeMs: 0 },
  large: { teamSize: 30, writeMs: 1_100 },
} as const satisfies Record<string, FloorSize>;

/** Histories of a floor of a size. */
export const portsHistories = (size: FloorSize, maxLength = 60): fc.Arbitrary<PortsHistory> =>
  fc.array(poll, { minLength: 1, maxLength }).map((polls) => ({ ...size, polls }));

import { requestTimeoutMs } from '../../../lib/feed/claim.ts';
import type { TelephonyService } from '../../../lib/ports.ts';
import type { Centre } from './centre.ts';
import { createDoubt } from './doubt.ts';
import type { AnswerKind } from './happening.ts';

/** One request as the telephony service saw it, by its own clock. */
export interface Asked {
  readonly atMs: number;
  /** Who was there, by an answer from which that could be known. */
  readonly states?: ReadonlyMap<string, string> | undefined;
  /** Nobody can be blamed for logging out whom such an answer does not name. */
  readonly isDoubtOver: boolean;
}

/** The telephony service of one account. */
export interface Telephony extends TelephonyService {
  readonly asked: () => readonly Asked[];
  readonly answerWith: (kind: AnswerKind, afterMs: number) => void;
}

const tellsOfFloor = new Set<AnswerKind>(['floor', 'nameless', 'stateless']);

/** A service that answers for a centre. Its clock is right. */
export const createTelephony = (
  centre: Centre,
  nowMs: () => number,
  sleep: (milliseconds: number) => Promise<void>,
): Telephony => {
  const asked: Asked[] = [];
  const isDoubtOver = createDoubt();
  let kind: AnswerKind = 'floor';
  let answerMs = 0;

  return {
    asked: () => asked,
    answerWith(next, afterMs) {
      kind = next;
      answerMs = afterMs;
    },
    async post() {
      const states = tellsOfFloor.has(kind) ? centre.states() : undefined;
      asked.push({ atMs: nowMs(), states, isDoubtOver: isDoubtOver(kind, nowMs()) });
      const answer = centre.answer(kind);
      await sleep(kind === 'timeout' ? requestTimeoutMs : answerMs);
      return answer;
    },
  };
};

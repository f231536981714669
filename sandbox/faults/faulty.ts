import type { Answer, Handle } from '../http/serve.ts';
import type { FaultName } from './fault.ts';
import type { FaultBoard } from './fault-board.ts';

/** How a service words its failures. Without `throttle`, the service applies that fault itself. */
export interface FaultAnswers {
  readonly throttle?: Answer;
  readonly error: Answer;
}

/** Puts the faults of `name` before a service. A request that is hit is not executed. */
export const faulty =
  (board: Pick<FaultBoard, 'draw' | 'lifted'>, name: FaultName, answers: FaultAnswers, handle: Handle): Handle =>
  async (request) => {
    const mode = board.draw(name);
    if (mode === 'error') return answers.error;
    if (mode === 'throttle' && answers.throttle !== undefined) return answers.throttle;
    if (mode !== 'timeout') return await handle(request);

    await board.lifted(name);
    return answers.error;
  };

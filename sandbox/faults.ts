import { EventEmitter, once } from 'node:events';
import * as z from 'zod';
import type { Answer, Handle } from './http/serve.ts';

/** The services that can be made to fail. */
export const faultNames = ['dynamodb', 'eventbridge', 'queue', 'provider'] as const;
export type FaultName = (typeof faultNames)[number];

/** How a service fails: it throttles, answers an error of its own, or never answers. */
export const faultModes = ['none', 'throttle', 'error', 'timeout'] as const;
export type FaultMode = (typeof faultModes)[number];

/** A fault. `rate` is the share of requests that it affects. */
export const Fault = z.strictObject({
  mode: z.enum(faultModes),
  rate: z.number().min(0).max(1).default(1),
});
export type Fault = z.infer<typeof Fault>;

/** Whether the text names a service that can be made to fail. */
export const isFaultName = (name: string): name is FaultName => faultNames.some((known) => known === name);

/** The current fault of each service. */
export type FaultState = Readonly<Record<FaultName, Fault>>;

/** Decides for each request whether it fails. */
export interface FaultBoard {
  state(): FaultState;
  set(name: FaultName, fault: Fault): void;
  /** How the next request fails, or `none`. */
  draw(name: FaultName): FaultMode;
  /** Resolves once the service no longer has the fault `timeout`. Hanging requests may then be answered. */
  untilLifted(name: FaultName): Promise<void>;
  /** Ends every fault. */
  clear(): void;
}

const none: Fault = { mode: 'none', rate: 1 };
const noFaults: FaultState = { dynamodb: none, eventbridge: none, queue: none, provider: none };

/** A board without faults. `random` returns numbers from 0 up to, but not including, 1. */
export const createFaultBoard = (random: () => number = Math.random): FaultBoard => {
  const changes = new EventEmitter().setMaxListeners(0);
  let state = noFaults;

  const set = (name: FaultName, fault: Fault): void => {
    state = { ...state, [name]: fault };
    changes.emit(name);
  };

  return {
    state: () => state,
    set,
    draw(name) {
      const { mode, rate } = state[name];
      return random() < rate ? mode : 'none';
    },
    async untilLifted(name) {
      while (state[name].mode === 'timeout') await once(changes, name);
    },
    clear() {
      for (const name of faultNames) set(name, none);
    },
  };
};

/** The error answers of a service. Without `throttle`, the service applies that fault itself. */
export interface FaultAnswers {
  readonly throttle?: Answer;
  readonly error: Answer;
}

/** Applies the faults of `name` to a service. An affected request is not executed. */
export const withFaults =
  (board: Pick<FaultBoard, 'draw' | 'untilLifted'>, name: FaultName, answers: FaultAnswers, handle: Handle): Handle =>
  async (request) => {
    const mode = board.draw(name);
    if (mode === 'error') return answers.error;
    if (mode === 'throttle' && answers.throttle !== undefined) return answers.throttle;
    if (mode !== 'timeout') return await handle(request);

    await board.untilLifted(name);
    return answers.error;
  };

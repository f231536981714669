import { EventEmitter, once } from 'node:events';
import * as z from 'zod';
import type { Answer, Handle } from './http/serve.ts';

/** What can be made to fail. */
export const faultNames = ['dynamodb', 'eventbridge', 'queue', 'provider'] as const;
export type FaultName = (typeof faultNames)[number];

/** How it fails: refused for being too fast, an error on its side, or no answer at all. */
export const faultModes = ['none', 'throttle', 'error', 'timeout'] as const;
export type FaultMode = (typeof faultModes)[number];

/** A fault in force. `rate` is the share of requests it hits. */
export const Fault = z.strictObject({
  mode: z.enum(faultModes),
  rate: z.number().min(0).max(1).default(1),
});
export type Fault = z.infer<typeof Fault>;

/** Whether the text names something that can fail. */
export const isFaultName = (name: string): name is FaultName => faultNames.some((known) => known === name);

/** The faults in force, by what they hit. */
export type FaultState = Readonly<Record<FaultName, Fault>>;

/** Decides, request by request, what fails. */
export interface FaultBoard {
  state(): FaultState;
  set(name: FaultName, fault: Fault): void;
  /** The fate of one request. */
  draw(name: FaultName): FaultMode;
  /** Resolves when a request that hangs may be answered: its fault was untilLifted, or everything stops. */
  untilLifted(name: FaultName): Promise<void>;
  /** Lifts every fault. */
  clear(): void;
}

const none: Fault = { mode: 'none', rate: 1 };
const noFaults: FaultState = { dynamodb: none, eventbridge: none, queue: none, provider: none };

/** A board without faults. `random` gives numbers from 0 up to, but not including, 1. */
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
      for (const name of ['dynamodb', 'eventbridge', 'queue', 'provider'] as const) set(name, none);
    },
  };
};

/** How a service words its failures. Without `throttle`, the service applies that fault itself. */
export interface FaultAnswers {
  readonly throttle?: Answer;
  readonly error: Answer;
}

/** Puts the faults of `name` before a service. A request that is hit is not executed. */
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

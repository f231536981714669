import { EventEmitter, once } from 'node:events';
import type { Fault, FaultMode, FaultName } from './fault.ts';

/** The faults in force, by what they hit. */
export type FaultState = Readonly<Record<FaultName, Fault>>;

/** Decides, request by request, what fails. */
export interface FaultBoard {
  state(): FaultState;
  set(name: FaultName, fault: Fault): void;
  /** The fate of one request. */
  draw(name: FaultName): FaultMode;
  /** Resolves when a request that hangs may be answered: its fault was lifted, or everything stops. */
  lifted(name: FaultName): Promise<void>;
  /** Lifts every fault. */
  clear(): void;
}

const none: Fault = { mode: 'none', rate: 1 };
const allWell: FaultState = { dynamodb: none, eventbridge: none, queue: none, provider: none };

/** A board without faults. `random` gives numbers from 0 up to, but not including, 1. */
export const createFaultBoard = (random: () => number = Math.random): FaultBoard => {
  const changes = new EventEmitter().setMaxListeners(0);
  let state = allWell;

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
    async lifted(name) {
      while (state[name].mode === 'timeout') await once(changes, name);
    },
    clear() {
      for (const name of ['dynamodb', 'eventbridge', 'queue', 'provider'] as const) set(name, none);
    },
  };
};

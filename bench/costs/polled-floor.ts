import type { Metering } from './meter.ts';
import { createPoller } from './poller.ts';
import { simulatedFloor } from './simulated-floor.ts';
import type { SlotTime } from './slot-time.ts';

/** Whose floor it is, how large, and where it is kept. */
export interface PolledFloorSettings {
  readonly userName: string;
  readonly agents: number;
  readonly tableName: string;
  readonly time: SlotTime;
}

/** A floor of agents that two processes of the poller take turns to poll. */
export const polledFloor = (metering: Metering, { userName, agents, tableName, time }: PolledFloorSettings) => {
  const { answer, change } = simulatedFloor(agents);
  const settings = { userName, tableName, answer, clock: time.clock };
  const processes = [createPoller(metering, settings), createPoller(metering, settings)] as const;
  return { change, nextSlot: time.nextSlot, run: (process: 0 | 1): Promise<void> => processes[process]() };
};

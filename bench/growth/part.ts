import type { Part } from '../part.ts';
import { growthsOf } from './fit/growths-of.ts';
import type { Quantity, Reading } from './readings.ts';
import { measurements, runChild } from './run-child.ts';
import { exponentTable, sizeTables } from './tables.ts';
import { tooSteep } from './too-steep.ts';

/** Memory hardly differs from round to round, and takes long to measure. */
const memoryRounds = 2;

/** How the time and memory of polls and callbacks grow with what they are given. */
export const growth: Part = {
  name: 'growth',
  what: 'time and memory by agents of a poll, deliveries of a call and records of a post',
  async run({ repetitions, onProgress }) {
    const readings: Record<Quantity, Reading[]> = { time: [], memory: [] };
    for (const measurement of measurements) {
      const { quantity } = measurement;
      const rounds = quantity === 'time' ? repetitions : Math.min(memoryRounds, repetitions);
      readings[quantity].push(...(await runChild(measurement, rounds, onProgress)));
    }
    const time = growthsOf(readings.time);
    const memory = growthsOf(readings.memory);
    return {
      tables: [...sizeTables('time', time), ...sizeTables('memory', memory), exponentTable({ time, memory })],
      data: { time, memory },
      failures: [...tooSteep('time', time), ...tooSteep('memory', memory)],
    };
  },
};

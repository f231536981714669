import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { tableNames } from '../../../sandbox/tables.ts';
import { createReceiver } from '../../costs/receiver.ts';
import type { StandIn } from '../stand-in/start-stand-in.ts';
import { watchedMetering } from './watched-metering.ts';

const start = Date.parse('2040-01-02T06:00:00.000Z');
const secondMs = 1_000;

/** A receiver over the stand-in's tables. Posts content, and holds that so many records of it are stored. */
export const postedReceiver = ({ dynamodb }: StandIn) => {
  const metering = watchedMetering(dynamodb);
  let nowMs = start;
  const receive = createReceiver(metering, () => new Date(nowMs), tableNames);
  return async (content: unknown, stored: number): Promise<void> => {
    // No two deliveries come in the same moment.
    nowMs += secondMs;
    await receive(JSON.stringify(content));
    metering.check(`"CallbackRecordsStored":${stored}`);
  };
};

/** An example of what the telephony service posts. Its call's id is too long for a number, and each post gets another. */
export const example = (name: 'call-summary' | 'missed-call'): Readonly<Record<string, unknown>> => {
  const text = readFileSync(new URL(`../../../sandbox/examples/${name}.json`, import.meta.url), 'utf8');
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
};

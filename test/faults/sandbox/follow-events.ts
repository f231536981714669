import * as z from 'zod';
import { tryParseJson } from '../../../lib/core/parse-json.ts';

const Recorded = z.object({ detail: z.object({ recordedAt: z.string() }) });

/** Milliseconds from a row's write until now, where a subscriber sees its event; none for what is no event. */
const lagOf = (line: string): readonly number[] => {
  const event = Recorded.safeParse(tryParseJson(line));
  return event.success ? [Date.now() - Date.parse(event.data.detail.recordedAt)] : [];
};

/** Collects how long after its row each event came. */
export interface FollowedEvents {
  /** The lags since this was asked last. */
  readonly lags: () => readonly number[];
  readonly stop: () => Promise<void>;
}

/** Follows the bus as a subscriber does. What was there before is passed over. */
export const followEvents = async (address: string): Promise<FollowedEvents> => {
  const stopping = new AbortController();
  const since = Date.now();
  let lags: number[] = [];

  const answer = await fetch(`${address}?follow`, { signal: stopping.signal });
  const read = async (): Promise<void> => {
    let rest = '';
    for await (const text of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      const age = Date.now() - since;
      lags.push(...lines.flatMap(lagOf).filter((lag) => lag <= age));
    }
  };
  const reading = read().catch(() => undefined);

  return {
    lags() {
      const told = lags;
      lags = [];
      return told;
    },
    async stop() {
      stopping.abort();
      await reading;
    },
  };
};

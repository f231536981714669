import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { Wire } from '../wire/start-wire.ts';
import type { WireCall, WireEvent } from '../wire/wire-call.ts';

/** Everything that ever came to a wire. */
export interface WatchedWire {
  calls(): readonly WireCall[];
  /** The events that the bus took. */
  events(): readonly WireEvent[];
  /** The texts of all messages in a queue. */
  messages(): readonly string[];
  /** Resolves once a request has come and been done. */
  until(isIt: (call: WireCall) => boolean): Promise<void>;
}

const Messages = z.object({ Entries: z.array(z.object({ MessageBody: z.string() })) });

const idleMs = 5;
const longestMs = 20_000;

/** Watches a wire of which nobody else takes the calls. */
export const watched = (wire: Pick<Wire, 'taken'>): WatchedWire => {
  const all: WireCall[] = [];
  const calls = (): readonly WireCall[] => {
    all.push(...wire.taken());
    return all;
  };

  return {
    calls,
    events: () => calls().flatMap(({ events }) => events),
    messages: () =>
      calls()
        .filter(({ service }) => service === 'sqs')
        .flatMap(({ input }) => Messages.parse(input).Entries.map(({ MessageBody }) => MessageBody)),
    async until(isIt) {
      const before = calls().length;
      const deadline = Date.now() + longestMs;
      while (!calls().slice(before).some(isIt)) {
        if (Date.now() > deadline) throw new Error('What was waited for never came to the wire');
        await sleep(idleMs);
      }
    },
  };
};

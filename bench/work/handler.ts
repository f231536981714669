import * as z from 'zod';
import { formOf, httpApiEvent } from '../../test/support/http-api-event.ts';
import { startLambda } from '../lambda/start-lambda.ts';
import { callfeed } from '../peers/callfeed.ts';
import { peerSecret } from '../peers/peer.ts';
import { startWire } from '../wire/start-wire.ts';
import type { Payload } from './payloads.ts';

/** The deployed receiver before an AWS that answers at once. */
export interface Handler {
  /** Microseconds of processor time for one callback, by the whole process. */
  cpuOf(payload: Payload): Promise<number>;
  stop(): Promise<void>;
}

const Taken = z.object({ statusCode: z.literal(200) });

/** So many bytes of form are a round: more small callbacks than large ones. */
const bytesARound = 150_000;

/** Starts it from its bundle. */
export const startHandler = async (folder: string): Promise<Handler> => {
  const wire = await startWire({ secret: peerSecret });
  const { receiver } = callfeed.deployed('work');
  const lambda = await startLambda({ folder, environment: receiver.environment(wire.url) });

  const invoke = async (event: unknown): Promise<number> => {
    const { result, error, cpuUs } = await lambda.invoke(event);
    if (!Taken.safeParse(result).success) throw new Error(`A callback is refused: ${JSON.stringify(error ?? result)}`);
    wire.taken();
    return cpuUs;
  };

  return {
    async cpuOf({ data }) {
      const body = formOf(data);
      const event = httpApiEvent({ body });
      const times = Math.max(3, Math.min(100, Math.round(bytesARound / body.length)));
      const before = await invoke(event);
      let after = before;
      for (let time = 0; time < times; time++) after = await invoke(event);
      return (after - before) / times;
    },
    async stop() {
      await lambda.stop();
      await wire.close();
    },
  };
};

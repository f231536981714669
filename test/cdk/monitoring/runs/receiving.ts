import type { Context } from 'aws-lambda';
import type { BufferedTelemetry } from '../../../../functions/adapters/json-telemetry.ts';
import { createHandler } from '../../../../functions/receive-callback/handler.ts';
import { type ReceivePorts, receiveCallback } from '../../../../lib/receive-callback.ts';
import { movedClock } from '../../../lib/support/polled-floor.ts';
import { fixedAccounts, memoryCallStore, memoryParking, memoryQuarantine } from '../../../lib/support/ports.ts';
import { formOf, httpApiEvent } from '../../../support/http-api-event.ts';
import { inTime } from '../../../support/in-time.ts';
import { type Run, recorder } from '../datum.ts';

/** What a port may need that misbehaves: time that it takes, and somebody to tell. */
export interface Around {
  readonly telemetry: BufferedTelemetry;
  readonly clock: () => Date;
  /** Lets time go by. */
  readonly take: (milliseconds: number) => Promise<void>;
}

/** What comes to the receiver, one post after the other, and what is wrong with the world. */
export interface Receiving {
  readonly deployment: string;
  readonly posts: readonly unknown[];
  readonly broken?: (around: Around) => Partial<ReceivePorts>;
  /** How long it takes until the next post. */
  readonly everyMs?: number;
}

const api = { ApiId: 'ApiHttpApi.Ref' };

/** Posts to the receiver as it is deployed, over memory, and what CloudWatch is told of it. */
export const receiving = async ({ deployment, posts, broken, everyMs = 1_000 }: Receiving): Promise<Run> => {
  const time = movedClock('2026-11-20T06:00:00.000Z');
  const { telemetryOf, aws, run } = recorder(time.clock, deployment);
  const telemetry = telemetryOf('receive-callback');
  const ports = {
    telemetry,
    clock: time.clock,
    deadline: inTime,
    calls: memoryCallStore(),
    quarantine: memoryQuarantine(),
    parking: memoryParking(),
    accounts: fixedAccounts(),
    ...broken?.({ telemetry, clock: time.clock, take: async (ms) => time.advance(ms) }),
  };
  const handler = createHandler({ telemetry, receive: receiveCallback(ports), secretSha256: undefined });

  for (const post of posts) {
    const before = time.now();
    const { statusCode = 0 } = await handler(httpApiEvent({ body: formOf(post) }) as never, {} as Context);
    // The API measures each reply, at its end.
    aws('AWS/ApiGateway', '5xx', api, statusCode >= 500 ? 1 : 0);
    aws('AWS/ApiGateway', 'Latency', api, time.now() - before);
    time.advance(everyMs);
  }
  return run();
};

import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type * as z from 'zod';
import type { Clock } from '../../lib/ports.ts';
import { publishChanges } from '../../lib/publish-changes.ts';
import { eventBridgeBus } from '../adapters/event-bridge-bus.ts';
import type { BufferedTelemetry } from '../adapters/json-telemetry.ts';
import type { PublishChangesEnv } from './env.ts';
import { createHandler } from './handler.ts';

/** What the publisher is made of. */
export interface PublisherParts {
  readonly env: z.output<typeof PublishChangesEnv>;
  readonly clock: Clock;
  readonly telemetry: BufferedTelemetry;
  readonly eventbridge: Pick<EventBridgeClient, 'send'>;
}

/** The publisher over these clients. */
export const composePublisher = ({ env, clock, telemetry, eventbridge }: PublisherParts) =>
  createHandler({
    telemetry,
    publish: publishChanges({
      telemetry,
      clock,
      bus: eventBridgeBus(eventbridge, env.BUS_NAME),
      personalFields: env.PERSONAL_FIELDS,
    }),
  });

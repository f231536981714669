import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { publishChanges } from '../../lib/publish-changes.ts';
import { clientSettings } from '../adapters/aws-clients.ts';
import { eventBridgeBus } from '../adapters/event-bridge-bus.ts';
import { jsonTelemetry } from '../adapters/json-telemetry.ts';
import { PublishChangesEnv } from './env.ts';
import { createHandler } from './handler.ts';

const env = PublishChangesEnv.parse(process.env);
const telemetry = jsonTelemetry({ function: 'publish-changes', deployment: env.DEPLOYMENT }, (line) =>
  process.stdout.write(line),
);

/** The publisher, as deployed. */
export const handler = createHandler({
  telemetry,
  publish: publishChanges({
    telemetry,
    bus: eventBridgeBus(new EventBridgeClient(clientSettings), env.BUS_NAME),
    clock: () => new Date(),
    personalFields: env.PERSONAL_FIELDS,
  }),
});

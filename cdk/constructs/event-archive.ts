import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Archive, type IEventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { eventSource } from '../../lib/contract/envelope.ts';
import type { Settings } from '../settings/settings.ts';
import type { Standards } from './standards.ts';

/** Whose events are kept, and for how long. */
export interface EventArchiveProps {
  readonly standards: Standards;
  readonly bus: IEventBus;
  readonly settings: Pick<Settings, 'eventArchiveDays'>;
}

/** Keeps every event of ours, so that a subscriber who was down, or is new, can have them replayed. */
export const eventArchive = (
  scope: Construct,
  id: string,
  { standards, bus, settings }: EventArchiveProps,
): Archive => {
  const { encryptionKey } = standards;
  const archive = new Archive(scope, id, {
    sourceEventBus: bus,
    description: 'Every event of Callfeed, to be replayed.',
    eventPattern: { source: [eventSource] },
    retention: Duration.days(settings.eventArchiveDays),
    ...(encryptionKey && { kmsKey: encryptionKey }),
  });
  // Its events can be replayed to this bus and to no other, and keep it from being deleted: it goes when the bus does.
  archive.applyRemovalPolicy(RemovalPolicy.DESTROY);

  return archive;
};

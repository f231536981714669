import { Duration } from 'aws-cdk-lib';
import { Archive, type IEventBus } from 'aws-cdk-lib/aws-events';
import type { Construct } from 'constructs';
import { eventSource } from '../../lib/contract/envelope.ts';
import type { Settings } from '../settings/settings.ts';
import { keptData, type Standards } from './standards.ts';

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
  archive.applyRemovalPolicy(keptData(standards));

  return archive;
};

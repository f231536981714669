import { fileIn } from '../frame/data-folder.ts';
import type { Variables } from '../functions/function-environment.ts';
import { startS3 } from '../s3/s3-endpoint.ts';
import { type Added, type AwsParts, createReaders, type SandboxFeature, startBus, startQueues } from './aws-parts.ts';
import { addPolling, addRecovery, readTables } from './core-parts.ts';

export const startAws = async (parts: AwsParts, features: readonly SandboxFeature[]) => {
  const queues = await startQueues(parts);
  const s3 = await startS3(fileIn(parts.options.data, 'recordings'), parts.closers);
  const bus = await startBus(parts);
  const readers = createReaders(parts);
  const aws = { ...parts, ...queues, log: bus.log, ...readers };
  const featureParts: Added[] = [];
  for (const feature of features) featureParts.push(await feature(aws));
  const recovery = addRecovery(aws);
  const polling = addPolling(aws);
  const published = featureParts.flatMap((part) => part.published ?? []);
  readTables(aws, published);
  readers.startReading();

  return {
    log: bus.log,
    parking: recovery.parking,
    deadLetters: recovery.deadLetters,
    startTicks: polling.startTicks,
    urls: { sqs: queues.sqsUrl, s3: s3.url, eventbridge: bus.url },
    addresses: {
      ...recovery.addresses,
      ...polling.addresses,
      ...mergedRecords(featureParts.map(({ addresses }) => addresses)),
    },
    state: mergedRecords(featureParts.map(({ state }) => state)),
    variables: (simulatorUrl: string | undefined): Variables =>
      mergedRecords(featureParts.map(({ variables }) => variables?.(simulatorUrl))),
  };
};

export type RunningAws = Awaited<ReturnType<typeof startAws>>;

const mergedRecords = <Value>(records: readonly (Readonly<Record<string, Value>> | undefined)[]) =>
  Object.fromEntries(records.flatMap((record = {}) => Object.entries(record)));

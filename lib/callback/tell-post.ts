import type { Counter } from '../metrics.ts';
import type { Telemetry } from '../ports.ts';
import { tellChanges } from '../publish/tell-changes.ts';
import { nothing, type Receipt } from './receipt.ts';
import type { RefusalReason } from './refusal.ts';

type Counting = Pick<Telemetry, 'count'>;

/** Tells what became of the records of a post that was taken in. */
export const tellTaken = (telemetry: Counting, receipt: Receipt): void => {
  for (const [metric, records] of [...takenIn(receipt), quarantinedIn(receipt)])
    if (records > 0) telemetry.count(metric, records);
  tellChanges(telemetry, receipt.stored);
};

/**
 * Tells of a post that was refused. What the service posts beside calls, if one lets it, is kept as well, but by itself:
 * there is nothing to be done about it. That nothing was taken is told with each, as zeros: an alarm weighs what was taken
 * against what was not, and a metric that has had no value for long may be nothing to CloudWatch's FILL.
 */
export const tellRefused = (telemetry: Counting, reason: RefusalReason, receipt: Receipt = nothing): void => {
  const isOfOtherKind = reason === 'not-a-call-summary';
  telemetry.count('CallbacksRefused', isOfOtherKind ? 0 : 1);
  telemetry.count('CallbacksOfOtherKinds', isOfOtherKind ? 1 : 0);
  for (const counted of takenIn(receipt)) telemetry.count(...counted);
  const [metric, records] = quarantinedIn(receipt);
  if (records > 0 && !isOfOtherKind) telemetry.count(metric, records);
};

type Counted = readonly [metric: Counter, records: number];

const takenIn = ({ stored, duplicates, parked = 0 }: Receipt): readonly Counted[] => [
  ['CallbackRecordsStored', stored],
  ['CallbackRecordsDuplicate', duplicates],
  ['CallbackRecordsParked', parked],
];

const quarantinedIn = ({ quarantined }: Receipt): Counted => ['CallbackRecordsQuarantined', quarantined];

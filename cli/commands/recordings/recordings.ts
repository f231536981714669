import { readRows as readRowsAt } from '../../../functions/adapters/dynamo-versioned-rows.ts';
import { batches } from '../../../lib/core/collections.ts';
import { recordingOf } from '../../../lib/recordings/read-recording.ts';
import { recordingKey } from '../../../lib/recordings/recording-keys.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import { commandLine, type Deployment, type DeploymentLocation } from '../../connection/deployment.ts';
import { counted } from '../../output/report.ts';
import { storeDeadline } from '../../rows.ts';
import { type Gap, gapOf } from '../../verify/gaps.ts';

export interface NamedRecording {
  readonly account: string;
  readonly callId: string;
  /** Its id, and the one that it has where it was asked for before signatures were left out. */
  readonly ids: readonly string[];
  /** The place of the call in lists, by which `archive` finds it. */
  readonly listedAt: string;
}

export interface RecordingFindings {
  readonly archived: number;
  readonly waiting: readonly string[];
  readonly unasked: readonly NamedRecording[];
  readonly givenUp: number;
}

/** BatchGetItem takes 100 keys a call. Each call has a time limit of its own. */
const portionSize = 100;

export const findRecordings = async (
  { dynamodb, tables, recordings }: Pick<Deployment, 'dynamodb' | 'tables' | 'recordings'>,
  named: readonly NamedRecording[],
): Promise<RecordingFindings | undefined> => {
  if (recordings === undefined) return undefined;
  const keys = named.flatMap((one) => one.ids.map((id) => recordingKey(one, id)));
  const rows: Row[] = [];
  for (const portion of batches(keys, ({ length }) => length < portionSize))
    rows.push(...(await readRowsAt(dynamodb, tables.calls)(portion, storeDeadline())));
  const found = rows.map(recordingOf);
  const ids = new Set(found.map(({ account, callId, recordingId }) => JSON.stringify([account, callId, recordingId])));
  const withStatus = (status: string) => found.filter((one) => one.status === status);
  return {
    archived: withStatus('archived').length,
    waiting: callsOf(withStatus('waiting')),
    givenUp: withStatus('given-up').length,
    unasked: named.filter((one) => !one.ids.some((id) => ids.has(JSON.stringify([one.account, one.callId, id])))),
  };
};

export const callsOf = (some: readonly Pick<NamedRecording, 'callId'>[]): readonly string[] =>
  some.map(({ callId }) => callId);

/** What the recordings leave unproven. One that was given up has its reason, and is no gap. */
export const recordingGaps = (
  found: RecordingFindings | undefined,
  account: string,
  location: DeploymentLocation,
): readonly Gap[] => {
  if (found === undefined) return [];
  const { waiting, unasked } = found;
  // A call that was recorded late is listed outside the range.
  const times = unasked.map(({ listedAt }) => listedAt).sort();
  const end = times.map((at) => new Date(Date.parse(at) + 1).toISOString()).at(-1);
  return [
    ...gapOf(waiting.length, {
      what: `${counted(waiting.length, 'recording')} not there yet, and asked for again`,
      ids: waiting,
      mend: 'run this command again later',
      more: `The reasons: ${commandLine(location, 'dead-letters', 'list', 'recordings')}`,
    }),
    ...gapOf(unasked.length, {
      what: `${counted(unasked.length, 'recording')} not asked for yet`,
      ids: callsOf(unasked),
      mend: commandLine(location, 'archive', '--from', times[0] ?? '', '--to', end ?? '', '--account', account),
    }),
  ];
};

export const recordingsText = (account: string, found: RecordingFindings | undefined): string | undefined => {
  if (found === undefined) return undefined;
  const given =
    found.givenUp === 0 ? '' : ` ${found.givenUp} given up, with reasons: “callfeed dead-letters list recordings”.`;
  return `Recordings of ${account}: ${found.archived} archived.${given}`;
};

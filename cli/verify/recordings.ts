import { readRows as readRowsAt } from '../../functions/adapters/dynamo-versioned-rows.ts';
import { batches } from '../../lib/core/collections.ts';
import { namedRecordings, recordingKey, recordingOf } from '../../lib/recordings/recording-keys.ts';
import type { Recording } from '../../lib/recordings/schema.ts';
import type { Row } from '../../lib/storage/rows.ts';
import { maxRecordings } from '../../lib/telephony/recording-links.ts';
import { commandLine, type Deployment, type DeploymentLocation } from '../frame/deployment.ts';
import { type DeployedTables, storeDeadline } from '../frame/rows.ts';
import { counted } from '../frame/texts.ts';
import { type CallInspection, type Gap, gapOf } from './gaps.ts';

export interface RecordingOfRange {
  readonly account: string;
  readonly callId: string;
  readonly recordingId: string;
  /** The place of the call in lists, by which `archive` finds it. */
  readonly listedAt: string;
}

export interface RecordingFindings {
  readonly archived: number;
  readonly waiting: readonly string[];
  readonly unasked: readonly RecordingOfRange[];
  readonly givenUp: number;
}

/** BatchGetItem takes 100 keys a call. Each call has a time limit of its own. */
const portionSize = 100;

export const findRecordings = async (
  { dynamodb, tables }: DeployedTables,
  named: readonly RecordingOfRange[],
): Promise<RecordingFindings> => {
  const keys = named.map((one) => recordingKey(one, one.recordingId));
  const rows: Row[] = [];
  for (const portion of batches(keys, ({ length }) => length < portionSize))
    rows.push(...(await readRowsAt(dynamodb, tables.calls)(portion, storeDeadline())));
  const found = rows.map(recordingOf);
  const idOf = ({ account, callId, recordingId }: Pick<Recording, 'account' | 'callId' | 'recordingId'>) =>
    JSON.stringify([account, callId, recordingId]);
  const ids = new Set(found.map(idOf));
  const withStatus = (status: string) => found.filter((one) => one.status === status);
  return {
    archived: withStatus('archived').length,
    waiting: callsOf(withStatus('waiting')),
    givenUp: withStatus('given-up').length,
    unasked: named.filter((one) => !ids.has(idOf(one))),
  };
};

const callsOf = (some: readonly Pick<RecordingOfRange, 'callId'>[]): readonly string[] =>
  some.map(({ callId }) => callId);

/** What the recordings leave unproven. One that was given up has its reason, and is no gap. */
export const recordingGaps = (
  { waiting, unasked }: RecordingFindings,
  account: string,
  location: DeploymentLocation,
): readonly Gap[] => {
  // A call that was recorded late is listed outside the range.
  const times = unasked.map(({ listedAt }) => listedAt).sort();
  const end = times.map((at) => new Date(Date.parse(at) + 1).toISOString()).at(-1);
  return [
    ...gapOf(waiting.length, {
      what: `${counted(waiting.length, 'recording')} not there yet, and asked for again`,
      ids: waiting,
      remedy: { again: {}, when: 'later' },
      more: `The reasons: ${commandLine(location, 'dead-letters', 'list', 'recordings')}`,
    }),
    ...gapOf(unasked.length, {
      what: `${counted(unasked.length, 'recording')} not asked for yet`,
      ids: callsOf(unasked),
      remedy: commandLine(location, 'archive', '--from', times[0] ?? '', '--to', end ?? '', '--account', account),
    }),
  ];
};

const noteOf = (account: string, { archived, givenUp }: RecordingFindings): string => {
  const given = givenUp === 0 ? '' : ` ${givenUp} given up, with reasons: “callfeed dead-letters list recordings”.`;
  return `Recordings of ${account}: ${archived} archived.${given}`;
};

/** Looks for the recordings that the rows of calls name. */
export const verifyRecordings = (
  deployment: Deployment,
  account: string,
  location: DeploymentLocation,
): CallInspection | undefined => {
  if (deployment.recordings === undefined) return undefined;
  const named: RecordingOfRange[] = [];
  return {
    onCall(call, rows) {
      for (const { recordingId } of namedRecordings(rows).slice(0, maxRecordings)) named.push({ ...call, recordingId });
    },
    async find() {
      const found = await findRecordings(deployment, named);
      return {
        json: { ...found, unasked: callsOf(found.unasked) },
        gaps: recordingGaps(found, account, location),
        note: noteOf(account, found),
      };
    },
  };
};

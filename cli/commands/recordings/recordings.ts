import { readRows as readRowsAt } from '../../../functions/adapters/dynamo-versioned-rows.ts';
import { batches } from '../../../lib/core/collections.ts';
import { namedRecordings, recordingKey, recordingOf } from '../../../lib/recordings/recording-keys.ts';
import { type Recording, recordingKind, recordingType, textOfProblem } from '../../../lib/recordings/schema.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import { maxRecordings } from '../../../lib/telephony/recording-links.ts';
import { on, type Permission } from '../../command.ts';
import { commandLine, type Deployment, type DeploymentLocation } from '../../connection/deployment.ts';
import { backlogStatus } from '../../dead-letters.ts';
import type { Feature } from '../../feature.ts';
import { counted } from '../../output/report.ts';
import { storeDeadline, type Tables } from '../../rows.ts';
import { type Gap, gapOf } from '../../verify/gaps.ts';
import { archive } from './archive.ts';
import { listInVain, retryInVain } from './in-vain.ts';
import { recording } from './recording.ts';
import {
  countRecordings,
  eraseRecordings,
  isArchived,
  readObject,
  recordingsOf,
  sinceOf,
} from './stored-recordings.ts';

export interface NamedRecording {
  readonly account: string;
  readonly callId: string;
  readonly recordingId: string;
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
  { dynamodb, tables }: Tables,
  named: readonly NamedRecording[],
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

const callsOf = (some: readonly Pick<NamedRecording, 'callId'>[]): readonly string[] =>
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

const noteOf = (account: string, { archived, givenUp }: RecordingFindings): string => {
  const given = givenUp === 0 ? '' : ` ${givenUp} given up, with reasons: “callfeed dead-letters list recordings”.`;
  return `Recordings of ${account}: ${archived} archived.${given}`;
};

const ofRecordings = 'for `recordings`';

const readsRows: readonly Permission[] = [
  on('Calls table and its index `byTime`', 'dynamodb:Query dynamodb:BatchGetItem', ofRecordings),
  on('Agents table', 'dynamodb:GetItem', `${ofRecordings}, unless \`--account\` is given`),
];

const queueOf = (deployment: Deployment) => deployment.recordings;

export const recordings: Feature = {
  commands: [recording, archive],
  status: backlogStatus({ name: 'recordings', title: 'Recordings' }, queueOf, ({ waiting, deadLetters }) => ({
    text: `about ${waiting} calls whose recordings are to be fetched, ${deadLetters} recordings given up`,
    // Recordings that are not there yet are usual; those that were given up are for somebody to look at.
    count: deadLetters,
  })),
  deadLetters: {
    ...{ name: 'recordings', isSelectable: true, queueOf, list: listInVain, redrive: retryInVain },
    permissions: { list: readsRows, redrive: [on('Calls table', 'dynamodb:PutItem', ofRecordings), ...readsRows] },
  },
  verifyCalls(deployment, account, location) {
    if (deployment.recordings === undefined) return undefined;
    const named: NamedRecording[] = [];
    return {
      name: 'recordings',
      onCall(call, rows) {
        for (const { recordingId } of namedRecordings(rows).slice(0, maxRecordings))
          named.push({ ...call, recordingId });
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
  },
  sounds: {
    async list({ deployment, client }, callId) {
      const found = deployment.recordings === undefined ? [] : await client.recordings(callId);
      return found.map((recording) => {
        const { recordingId, status, sizeBytes, contentType, askAgainAt, problem } = recording;
        const reason = problem && textOfProblem(problem);
        return { recordingId, status, since: sinceOf(recording), sizeBytes, contentType, askAgainAt, reason };
      });
    },
    async open({ deployment, client }, { callId, recordingId }, range) {
      const found = (await client.recordings(callId)).find((one) => one.recordingId === recordingId);
      if (found === undefined || !isArchived(found)) return undefined;
      const { Body, ContentLength, ContentRange } = await readObject(recordingsOf(deployment), found, range);
      const headers = {
        'content-type': recordingType(found.contentType),
        'content-length': ContentLength,
        'accept-ranges': 'bytes',
        ...(ContentRange !== undefined && { 'content-range': ContentRange }),
      };
      return { body: Body, headers };
    },
  },
  erasedWithCall: {
    kind: 'recordings',
    count: countRecordings,
    erase: eraseRecordings,
    permissions: [on('buckets of recordings', 's3:DeleteObject', 'where recordings are or were archived')],
  },
  replayed: {
    kind: recordingKind,
    type: 'Call Recording Archived',
    needs: 'recordings=archive',
    isPublished: (deployment) => deployment.recordings !== undefined,
  },
};

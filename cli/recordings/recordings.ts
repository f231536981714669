import { recordingKind, recordingType, textOfNote, textOfProblem } from '../../lib/recordings/schema.ts';
import { backlogStatus } from '../dead-letters/letters-of-queue.ts';
import { on, type Permission } from '../frame/command.ts';
import type { Deployment } from '../frame/deployment.ts';
import type { Feature, HealthText } from '../frame/feature.ts';
import { counted } from '../frame/report.ts';
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
import { verifyRecordings } from './verify-recordings.ts';

const ofRecordings = 'for `recordings`';

const readsRows: readonly Permission[] = [
  on('Calls table and its index `byTime`', 'dynamodb:Query dynamodb:BatchGetItem', ofRecordings),
  on('Agents table', 'dynamodb:GetItem', `${ofRecordings}, unless \`--account\` is given`),
];

const queueOf = (deployment: Deployment) => deployment.recordings;

const healthOf = (waiting: number, givenUp: number): HealthText => {
  const waits =
    waiting === 0 ? 'None waits to be fetched.' : `Those of about ${counted(waiting, 'call')} are to be fetched.`;
  if (givenUp === 0) return { verdict: 'good', lines: ['None was given up.', waits] };
  return {
    verdict: 'bad',
    lines: [`About ${counted(givenUp, 'recording')} could not be fetched for two days. The command shows why:`, waits],
    word: 'DEAD LETTERS',
    command: ['dead-letters', 'list', 'recordings', '--status', 'given-up'],
  };
};

export const recordings: Feature = {
  commands: [recording, archive],
  status: backlogStatus({ name: 'recordings', title: 'Recordings' }, queueOf, ({ waiting, deadLetters }) => ({
    text: `about ${waiting} calls whose recordings are to be fetched, ${deadLetters} recordings given up`,
    // Recordings that are not there yet are usual; those that were given up are for somebody to look at.
    count: deadLetters,
    health: healthOf(waiting, deadLetters),
  })),
  deadLetters: {
    ...{ name: 'recordings', isSelectable: true, queueOf, list: listInVain, redrive: retryInVain },
    permissions: { list: readsRows, redrive: [on('Calls table', 'dynamodb:PutItem', ofRecordings), ...readsRows] },
  },
  verifyCalls: verifyRecordings,
  sounds: {
    async list({ deployment, client }, callId) {
      const found = deployment.recordings === undefined ? [] : await client.recordings(callId);
      return found.map((recording) => {
        const { recordingId, status, sizeBytes, contentType, askAgainAt, problem, note } = recording;
        const reason = status === 'archived' ? note && textOfNote(note) : problem && textOfProblem(problem);
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

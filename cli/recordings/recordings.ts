import { backlogStatus } from '../dead-letters/sqs-letters.ts';
import { on, type Permission } from '../frame/command.ts';
import type { Deployment } from '../frame/deployment.ts';
import type { Feature, HealthText } from '../frame/feature.ts';
import { counted } from '../frame/texts.ts';
import { archive } from './archive.ts';
import { recording } from './recording.ts';
import { givenUpSince, listUnarchived, retryUnarchived } from './unarchived.ts';

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
  status: backlogStatus(
    { name: 'recordings', title: 'Recordings', happened: givenUpSince },
    queueOf,
    ({ waiting, deadLetters }) => ({
      text: `about ${waiting} calls whose recordings are to be fetched, ${deadLetters} recordings given up`,
      // Recordings that are not there yet are usual; those that were given up are for somebody to look at.
      count: deadLetters,
      health: healthOf(waiting, deadLetters),
    }),
  ),
  deadLetters: {
    name: 'recordings',
    isSelectable: true,
    queueOf,
    list: listUnarchived,
    redrive: retryUnarchived,
    permissions: { list: readsRows, redrive: [on('Calls table', 'dynamodb:PutItem', ofRecordings), ...readsRows] },
  },
};

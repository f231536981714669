import { fail, ok } from '../../../lib/core/result.ts';
import type { RecordingProblem } from '../../../lib/recordings/schema.ts';
import { call } from '../../deployment/index.ts';
import { kolkataAccount } from '../../fixtures/accounts.ts';
import { type DeployedResources, type Fault, type Run, recordedDeployment, type Scenario } from './scenario.ts';

interface Archiving {
  readonly minutes: number;
  readonly calls: number;
  /** Why the host does not serve a recording at a minute; undefined if it does. */
  readonly problemAt: (minute: number, url: string) => RecordingProblem | undefined;
  /** Whether the bucket takes nothing. */
  readonly isBucketOut?: boolean;
}

const stepMinutes = 5;

/** Calls whose recordings are archived, as deployed, from a host that may fail. One more call comes every half hour. */
const archiving = async (
  deployed: DeployedResources,
  { minutes, calls, problemAt, isBucketOut = false }: Archiving,
): Promise<Run> => {
  let minute = 0;
  const { d, aws, run } = await recordedDeployment(deployed, {
    accounts: [kolkataAccount],
    recordingHost(url) {
      const problem = problemAt(minute, url);
      return problem === undefined ? ok('audio') : fail(problem);
    },
  });
  const post = (id: number) =>
    d.post(
      call({ monitorUCID: String(id) })
        .byKey(kolkataAccount.apiKeys[0] ?? '')
        .withRecording(`https://recordings.example.com/${id}`),
    );

  for (let id = 1; id <= calls; id++) await post(id);
  for (; minute < minutes; minute += stepMinutes) {
    if (minute % 30 === 0 && minute > 0) await post(1_000 + minute);
    await d.settled();
    await d.fail('s3', isBucketOut ? {} : { times: 0 }).during(() => d.archive());
    const deadLetters = { QueueName: 'ArchiveRecordingsDeadLetters.QueueName' };
    aws('AWS/SQS', 'ApproximateNumberOfMessagesVisible', deadLetters, d.recordings().letters.length);
    d.advance(stepMinutes * 60_000);
  }
  return run();
};

/** A scenario in which recordings are archived. */
export const archived = (what: string, setting: Archiving): Scenario => ({
  what,
  cause: (deployed) => archiving(deployed, setting),
});

/** Faults between a call and its recording, with their alarms. */
export const recordingFaults: readonly Fault[] = [
  {
    alarm: 'RecordingsFail',
    ...archived('The host of recordings denies access for two hours.', {
      ...{ minutes: 120, calls: 5 },
      problemAt: () => 'not-allowed',
    }),
    near: [
      archived('One recording is not there for an hour.', {
        ...{ minutes: 60, calls: 3 },
        problemAt: (_minute, url) => (url.endsWith('/1') ? 'not-found' : undefined),
      }),
    ],
  },
  {
    alarm: 'RecordingsFail',
    ...archived('The bucket of recordings takes nothing for two hours.', {
      ...{ minutes: 120, calls: 5, isBucketOut: true },
      problemAt: () => undefined,
    }),
  },
  {
    alarm: 'RecordingsGivenUp',
    ...archived('A recording is on a host that is not in the list.', {
      ...{ minutes: 30, calls: 2 },
      problemAt: (_minute, url) => (url.endsWith('/1') ? 'other-host' : undefined),
    }),
    near: [
      archived('A recording is there after three hours.', {
        ...{ minutes: 5 * 60, calls: 2 },
        problemAt: (minute, url) => (url.endsWith('/1') && minute < 3 * 60 ? 'empty' : undefined),
      }),
    ],
  },
];

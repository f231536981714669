import { fail, ok } from '../../../lib/core/result.ts';
import type { RecordingProblem } from '../../../lib/recordings/schema.ts';
import { call } from '../../deployment/index.ts';
import { kolkataAccount } from '../../fixtures/accounts.ts';
import { type DeployedResources, type Run, recordedDeployment, scenariosOf } from './scenario.ts';

interface Archiving {
  readonly minutes: number;
  readonly calls: number;
  /** Why the host does not serve a recording at a minute; undefined if it does. */
  readonly problemAt?: (minute: number, url: string) => RecordingProblem | undefined;
  /** Whether the bucket takes nothing. */
  readonly isBucketOut?: boolean;
}

const stepMinutes = 5;

/** Calls whose recordings are archived, as deployed, from a host that may fail. One more call comes every half hour. */
const archiving = async (
  deployed: DeployedResources,
  { minutes, calls, problemAt = () => undefined, isBucketOut = false }: Archiving,
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

/** Scenarios in which recordings are archived. */
export const archived = scenariosOf(archiving);

import type { SandboxState } from '../../sandbox/sandbox-state.ts';
import type { PartReport } from '../part.ts';
import type { SoakSize } from './soak-sizes.ts';

/** No answer in time, or none that the stores could give in time. */
const isSlow = (status: number): boolean => status === 0 || status === 503;

/** Whether every post was taken, nothing was given up, and the service was never asked too often. */
export const judgeOutcome = (
  answers: ReadonlyMap<number, number>,
  { provider, deadLetters }: Pick<SandboxState, 'provider' | 'deadLetters'>,
  { judgesSpeed }: Pick<SoakSize, 'judgesSpeed'>,
): PartReport => {
  const isFailed = (status: number): boolean => status === 401 || status === 500 || (judgesSpeed && isSlow(status));
  const accounts = Object.values(provider);
  const polls = accounts.reduce((sum, { requests }) => sum + requests, 0);
  const posts = [...answers.values()].reduce((sum, count) => sum + count, 0);
  const offences = accounts.reduce((sum, account) => sum + account.offences, 0);

  return {
    figures: [
      { what: 'posts', value: posts },
      { what: 'polls', value: polls },
    ],
    failures: [
      ...(posts === 0 ? ['Nothing was posted.'] : []),
      ...(polls === 0 ? ['The agents were never polled.'] : []),
      ...[...answers].flatMap(([status, count]) =>
        isFailed(status) ? [`${count} posts were answered ${status || 'not at all'}.`] : [],
      ),
      ...(offences > 0 ? [`The service's limit was exceeded ${offences} times.`] : []),
      ...(deadLetters > 0 ? [`${deadLetters} parked records became dead letters.`] : []),
    ],
  };
};

import { callbackSecret, secrets } from '../accounts.ts';
import type { Trial } from '../receiver.ts';
import type { HostileRequest } from '../requests/hostile-request.ts';
import { bytesOf } from '../requests/posted.ts';
import { miscounted } from './counted.ts';
import { leaked } from './leaks.ts';
import { lost } from './lost.ts';
import { type Reply, readReply } from './reply.ts';
import { beyondLimits } from './row-limits.ts';
import { sentValues } from './sent-values.ts';
import { strangersGot } from './strangers.ts';
import { textsIn } from './texts-in.ts';

/** What came of a trial: what was answered, and each guarantee that did not hold. */
export interface Verdict {
  readonly replies: readonly Reply[];
  readonly breaches: readonly string[];
}

/** To look for each value in what is kept takes long where there is much of it. */
const searchedBytes = 64 * 1024;

const leaks = (trial: Trial): readonly string[] => {
  const kept = textsIn([trial.calls, trial.quarantine]).join('\n');
  const told = [...trial.lines, JSON.stringify(trial.answers)].join('\n');
  const all = [...secrets, callbackSecret];
  return [
    ...leaked(kept, all).map((secret) => `The secret ${secret} is in a row`),
    ...leaked(told, all).map((secret) => `The secret ${secret} is in a log or reply`),
  ];
};

const faults = ({ lines }: Trial): readonly string[] =>
  lines.filter((line) => line.includes('"level":"error"')).map((line) => `An error was logged: ${line.trim()}`);

/** Holds everything that came of a request against what is promised of any request. */
export const verdictOn = (request: HostileRequest, trial: Trial): Verdict => {
  const { posted } = request;
  const read = trial.answers.map(readReply);
  const replies = read.filter((reply) => typeof reply !== 'string');
  const unreadable = read.filter((reply) => typeof reply === 'string');
  const sent = bytesOf(posted) <= searchedBytes ? sentValues(posted) : undefined;
  const isKept = replies.some(({ status }) => status === 200 || status === 400);

  const breaches = [
    ...unreadable,
    ...trial.polluted,
    ...(unreadable.length > 0 ? [] : miscounted(trial, replies)),
    ...leaks(trial),
    ...strangersGot(request, trial),
    ...faults(trial),
    ...beyondLimits('calls', trial.calls),
    ...beyondLimits('quarantine', trial.quarantine),
    ...(sent !== undefined && isKept && unreadable.length === 0 ? lost(sent, trial) : []),
  ];
  return { replies, breaches };
};

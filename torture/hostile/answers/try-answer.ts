import type { Facts } from '../../../lib/record/delivery.ts';
import type { LoginRow } from '../../../sandbox/simulator/service/logins-rows.ts';
import { pollingKeys, tokens } from '../accounts.ts';
import { leaked } from '../checks/leaks.ts';
import { beyondLimits } from '../checks/row-limits.ts';
import { textsIn } from '../checks/texts-in.ts';
import { type HostileAnswer, hostileAnswer } from './hostile-answer.ts';
import { mayBeLoggedOut } from './may-be-logged-out.ts';
import { type PollOf, type PollTrial, pollTrial } from './poll-trial.ts';

/** An answer that was tried, and what came of it. */
export interface TriedAnswer {
  readonly hostile: HostileAnswer;
  readonly trial: PollTrial;
  /** What became of it: the floor was read, or why not. */
  readonly outcome: string;
  readonly breaches: readonly string[];
}

const agentsIn = (rows: readonly Facts[]): ReadonlyMap<unknown, Facts> =>
  new Map(
    rows.filter(({ kind, state }) => kind === 'agent' && state !== 'logged-out').map((row) => [row['agentId'], row]),
  );

const feedIn = (rows: readonly Facts[]): Facts => rows.find(({ kind }) => kind === 'feed') ?? {};

/** Words that nobody is told of differ by letter case and the like; here the word as sent is compared. */
const isAs = ({ AgentState, AgentName, PhoneNumber }: LoginRow, row: Facts | undefined): boolean =>
  row?.['stateAsSent'] === AgentState && row['name'] === AgentName && row['phoneNumber'] === PhoneNumber;

const floorBreaches = (
  { before, untouched, answer, isOfToken }: HostileAnswer,
  { rows }: PollTrial,
): readonly string[] => {
  const [first, second, third] = rows;
  const isRead = feedIn(second)['asOf'] !== feedIn(first)['asOf'];
  const [then, afterwards] = [agentsIn(second), agentsIn(third)];
  const gone = before.filter(({ AgentId }) => !then.has(AgentId));
  // Who lists the agents lists all of them, where it is the question for a token that is answered so.
  const wrongly = gone.filter(({ AgentId }) => isOfToken || !mayBeLoggedOut(answer, AgentId));
  const spoilt = isRead && !isOfToken ? untouched.filter((row) => !isAs(row, then.get(row.AgentId))) : [];
  const missing = before.filter((row) => !isAs(row, afterwards.get(row.AgentId)));
  return [
    ...wrongly.map(({ AgentId }) => `${AgentId} was logged out by an answer that does not say so`),
    ...spoilt.map(({ AgentId }) => `${AgentId} is not as its good record among others says`),
    ...missing.map(({ AgentId }) => `${AgentId} is not as the good answer afterwards says`),
    ...(afterwards.size > before.length ? ['Somebody is still there after the good answer'] : []),
    ...(feedIn(third)['failingSince'] === undefined ? [] : ['The feed still fails after the good answer']),
  ];
};

/** What the service was sent for this account, and might repeat. */
const secretsOf = ({ token }: HostileAnswer): readonly string[] => [
  ...pollingKeys,
  ...(token === 'none' ? [] : [token === 'static' ? tokens.static : tokens.generated]),
];

/** Tries an answer that is given. */
export const tryGivenAnswer = async (hostile: HostileAnswer, pollOf?: PollOf): Promise<TriedAnswer> => {
  const trial = await pollTrial(hostile, pollOf);
  const [first, second, third] = trial.rows;
  const feed = feedIn(second);
  const outcome =
    feed['asOf'] === feedIn(first)['asOf'] ? String(Object(feed['lastProblem'])['reason'] ?? 'not polled') : 'read';
  const texts = [textsIn([second, third]).join('\n'), trial.lines.join('\n')];
  const found = texts.flatMap((text) => leaked(text, secretsOf(hostile)));
  const breaches = [
    ...trial.thrown.map((error) => `It threw ${String(error)}`),
    ...trial.lines
      .filter((line) => line.includes('"level":"error"'))
      .map((line) => `An error was logged: ${line.trim()}`),
    ...trial.polluted,
    ...found.map((secret) => `The secret ${secret} is in a row or log`),
    ...beyondLimits('agents', [...second, ...third]),
    ...floorBreaches(hostile, trial),
  ];
  return { hostile, trial, outcome, breaches };
};

/** Tries the answer of a number. */
export const tryAnswer = (seed: number, number: number): Promise<TriedAnswer> =>
  tryGivenAnswer(hostileAnswer(seed, number));

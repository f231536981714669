import type { ServiceResponse } from '../../../lib/agents/parse-agent-logins.ts';
import type { Facts } from '../../../lib/core/objects.ts';
import { tryParseJson } from '../../../lib/core/parse-json.ts';
import type { LoginRow } from '../../../sandbox/simulator/service/responses.ts';
import { pollingKeys, tokens } from './accounts.ts';
import { type FuzzedAnswer, fuzzedAnswer } from './fuzzed-answer.ts';
import { leakedSecrets, textsIn } from './leaks.ts';
import { type PollOf, type PollTrial, pollTrial } from './poll-trial.ts';
import { beyondLimits } from './row-limits.ts';

/** The values of every field of that name, however deep. */
const valuesOf = (value: unknown, isWanted: RegExp): readonly unknown[] => {
  const values: unknown[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, inner] of Object.entries(next)) {
      if (isWanted.test(name)) values.push(inner);
      open.push(inner);
    }
  }
  return values;
};

const isEmptyFloor = (words: unknown): boolean => typeof words === 'string' && /^\s*no data found\.?\s*$/i.test(words);

/** Whether anybody could take this answer for a floor on which the agent is not: a generous reading of it, made anew. */
const mayBeLoggedOut = ({ status, text }: ServiceResponse, agentId: string): boolean => {
  if ([401, 403, 429].includes(status) || status >= 500) return false;
  const answer = tryParseJson(text);
  if (isEmptyFloor(answer === undefined ? text : Object(answer).message)) return true;
  if (status >= 400 || typeof answer !== 'object' || answer === null || Array.isArray(answer)) return false;

  const { status: word, message, details } = answer as Readonly<Record<string, unknown>>;
  if (typeof word === 'string' && /^(error|false|fail)/i.test(word)) return false;
  if (typeof message !== 'object' && typeof details !== 'object') return false;
  const isEmptyList = Array.isArray(message) || Array.isArray(details);
  const ids = valuesOf(answer, /^agent_?id$/i);
  return (ids.length > 0 || isEmptyList) && !ids.includes(agentId);
};

/** An answer that was tried, and what came of it. */
export interface TriedAnswer {
  readonly hostile: FuzzedAnswer;
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
  { before, untouched, answer, isOfToken }: FuzzedAnswer,
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
const secretsOf = ({ token }: FuzzedAnswer): readonly string[] => [
  ...pollingKeys,
  ...(token === 'none' ? [] : [token === 'static' ? tokens.static : tokens.generated]),
];

/** Tries an answer that is given. */
const tryGivenAnswer = async (hostile: FuzzedAnswer, pollOf?: PollOf): Promise<TriedAnswer> => {
  const trial = await pollTrial(hostile, pollOf);
  const [first, second, third] = trial.rows;
  const feed = feedIn(second);
  const outcome =
    feed['asOf'] === feedIn(first)['asOf'] ? String(Object(feed['lastProblem'])['reason'] ?? 'not polled') : 'read';
  const texts = [textsIn([second, third]).join('\n'), trial.lines.join('\n')];
  const found = texts.flatMap((text) => leakedSecrets(text, secretsOf(hostile)));
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
  tryGivenAnswer(fuzzedAnswer(seed, number));

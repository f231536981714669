import { tryParseJson } from '../../../lib/core/json.ts';
import { ok } from '../../../lib/core/result.ts';
import type { ServiceResponse } from '../../../lib/service/service.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import type { LoginRow } from '../../../sandbox/simulator/answers.ts';
import { noFault } from '../../deployment/fault.ts';
import { createMemoryWorld } from '../../deployment/world.ts';
import type { AnswerCase, TokenKind } from './answers.ts';
import { agentRecord, answerWith, written } from './mutation.ts';
import { accounts, leakedSecrets, notStorable, pollingKeys, pollutedPrototypes, textsIn, tokens } from './receiver.ts';

/** The rows of agents and their feed after each of three polls: with a good answer, the fuzzed one, a good one again. */
interface PollTrial {
  readonly rows: readonly [before: readonly Row[], then: readonly Row[], afterwards: readonly Row[]];
  readonly thrown: readonly unknown[];
  readonly lines: readonly string[];
  readonly polluted: readonly string[];
}

const tokenOf: Readonly<Record<TokenKind, object>> = {
  none: { kind: 'none' },
  // Some are configured with their scheme; a service may repeat it without.
  static: { kind: 'static', value: `Bearer ${tokens.static}` },
  generate: { kind: 'generate' },
};

const slotMs = 15_000;

/** Longer than any rejection or `Retry-After` keeps the poller from asking. */
const longMs = 61 * 60_000;

/** Polls three times, with the fuzzed answer in the middle. */
export const pollTrial = async ({ before, answer, isForToken, token }: AnswerCase): Promise<PollTrial> => {
  const good: ServiceResponse = { status: 200, text: written(answerWith(before.map(agentRecord))) };
  const goodToken: ServiceResponse = { status: 200, text: JSON.stringify({ token: tokens.generated }) };
  let isFuzzed = false;
  const lines: string[] = [];
  const [account] = accounts;
  const world = createMemoryWorld({
    startedAt: '2026-11-20T06:00:00Z',
    accounts: [{ ...account, baseUrl: 'https://service.invalid', token: tokenOf[token] }],
    onLine: (line) => lines.push(line),
    telephony: {
      async post({ url }) {
        const requestsToken = url.endsWith('/generateToken');
        if (isFuzzed && requestsToken === isForToken) return ok(answer);
        return ok(requestsToken ? goodToken : good);
      },
    },
  });
  const instance = world.start(noFault);
  const thrown: unknown[] = [];
  const polluted: string[] = [];
  const polled = async (): Promise<readonly Row[]> => {
    await world.tick(instance).catch((error: unknown) => thrown.push(error));
    polluted.push(...pollutedPrototypes());
    return world.rows('agents');
  };

  const first = await polled();
  // A token is requested again only after it has expired.
  world.advance(isForToken && token === 'generate' ? longMs : slotMs);
  isFuzzed = true;
  const second = await polled();
  isFuzzed = false;
  world.advance(longMs);
  const third = await polled();
  return { rows: [first, second, third], thrown, lines, polluted };
};

export const answerViolations = (given: AnswerCase, trial: PollTrial): readonly string[] => {
  const [, second, third] = trial.rows;
  const texts = [textsIn([second, third]).join('\n'), trial.lines.join('\n')];
  const leaked = texts.flatMap((text) => leakedSecrets(text, secretsOf(given)));
  return [
    ...trial.thrown.map((error) => `It threw ${String(error)}`),
    ...trial.lines
      .filter((line) => line.includes('"level":"error"'))
      .map((line) => `An error was logged: ${line.trim()}`),
    ...trial.polluted,
    ...leaked.map((secret) => `The secret ${secret} is in a row or log`),
    ...notStorable([...second, ...third]),
    ...agentViolations(given, trial),
  ];
};

export const outcomeOf = ({ rows: [first, second] }: PollTrial): string => {
  const feed = feedIn(second);
  return feed['asOf'] === feedIn(first)['asOf']
    ? String(Object(feed['lastProblem'])['reason'] ?? 'not polled')
    : 'read';
};

const agentViolations = ({ before, intact, answer, isForToken }: AnswerCase, trial: PollTrial): readonly string[] => {
  const [, second, third] = trial.rows;
  const [then, afterwards] = [agentsIn(second), agentsIn(third)];
  const gone = before.filter(({ AgentId }) => !then.has(AgentId));
  // Where the request for a token is answered so, the request for the agents lists all of them.
  const wrongly = gone.filter(({ AgentId }) => isForToken || !mayBeLoggedOut(answer, AgentId));
  const isRead = outcomeOf(trial) === 'read' && !isForToken;
  const spoilt = isRead ? intact.filter((row) => !equals(row, then.get(row.AgentId))) : [];
  const missing = before.filter((row) => !equals(row, afterwards.get(row.AgentId)));
  return [
    ...wrongly.map(({ AgentId }) => `${AgentId} was logged out by an answer that does not say so`),
    ...spoilt.map(({ AgentId }) => `${AgentId} differs from its intact record`),
    ...missing.map(({ AgentId }) => `${AgentId} differs from the good answer afterwards`),
    ...(afterwards.size > before.length ? ['There are more agents than in the good answer afterwards'] : []),
    ...(feedIn(third)['failingSince'] === undefined ? [] : ['The feed still fails after the good answer']),
  ];
};

const agentsIn = (rows: readonly Row[]): ReadonlyMap<unknown, Row> =>
  new Map(
    rows.filter(({ kind, state }) => kind === 'agent' && state !== 'logged-out').map((row) => [row['agentId'], row]),
  );

const feedIn = (rows: readonly Row[]): Row => rows.find(({ kind }) => kind === 'feed') ?? {};

const equals = ({ AgentState, AgentName, PhoneNumber }: LoginRow, row: Row | undefined): boolean =>
  row?.['stateAsSent'] === AgentState && row['name'] === AgentName && row['phoneNumber'] === PhoneNumber;

/** What the service was sent for this account, and might repeat. */
const secretsOf = ({ token }: AnswerCase): readonly string[] => [
  ...pollingKeys,
  ...(token === 'none' ? [] : [token === 'static' ? tokens.static : tokens.generated]),
];

/** Whether anybody could read from this answer that the agent is logged out: a generous reading of its own. */
const mayBeLoggedOut = ({ status, text }: ServiceResponse, agentId: string): boolean => {
  if ([401, 403, 429].includes(status) || status >= 500) return false;
  const answer = tryParseJson(text);
  if (saysNobody(answer === undefined ? text : Object(answer).message)) return true;
  if (status >= 400 || typeof answer !== 'object' || answer === null || Array.isArray(answer)) return false;

  const { status: word, message, details } = answer as Readonly<Record<string, unknown>>;
  if (typeof word === 'string' && /^(error|false|fail)/i.test(word)) return false;
  if (typeof message !== 'object' && typeof details !== 'object') return false;
  const hasList = Array.isArray(message) || Array.isArray(details);
  const ids = valuesOf(answer, /^agent_?id$/i);
  return (ids.length > 0 || hasList) && !ids.includes(agentId);
};

const saysNobody = (message: unknown): boolean =>
  typeof message === 'string' && /^\s*no data found\.?\s*$/i.test(message);

/** The values of every field of such a name, at any depth. */
const valuesOf = (value: unknown, name: RegExp): readonly unknown[] => {
  const values: unknown[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const [field, inner] of Object.entries(next)) {
      if (name.test(field)) values.push(inner);
      open.push(inner);
    }
  }
  return values;
};

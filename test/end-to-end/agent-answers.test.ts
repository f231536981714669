import { describe, expect, it, onTestFinished } from 'vitest';
import { telephonyHttp } from '../../functions/adapters/telephony-http.ts';
import { type PollProblem, requestTimeoutMs, type ServiceRequest } from '../../lib/telephony/service/service.ts';
import { startSimulator } from '../../sandbox/simulator/index.ts';
import { type AnswerKind, answerKinds } from '../../sandbox/simulator/service/answer-quirks.ts';
import { type Deployment, deployment } from '../deployment/index.ts';
import { startHttpServer } from '../support/local-servers.ts';

const member = (agentId: string, name: string, state: string, skills: string[]) => ({
  action: 'log-in' as const,
  agentId,
  name,
  state,
  skills,
  phoneNumber: `09000000${name.length}`,
});

const team = [
  member('asha', 'Asha Rao', 'READY', ['Sales', 'Support']),
  member('meera', 'Meera Iyer', 'Idle', ['Support']),
  member('ravi', 'Ravi Nair', 'ACW', []),
];
const teamStates = { asha: 'ready', meera: 'idle', ravi: 'acw' };

/** Long enough for an answer on a busy machine, and short for one that does not come. */
const [patientMs, shortMs] = [5_000, 100];

/** A delayed answer is delayed until the service stops. */
const untilStopped = (stopped: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (stopped === undefined || stopped.aborted) resolve();
    else stopped.addEventListener('abort', () => resolve(), { once: true });
  });

/** A deployment that polls a simulated service over HTTP, with three agents. A time-out passes on its clock. */
const polledTeam = async () => {
  let d: Deployment | undefined;
  const account = { userName: 'demo', timeZone: 'Asia/Kolkata' };
  const simulator = await startSimulator({
    ...{ port: 0, callbackUrl: 'http://127.0.0.1:9', account: { ...account, apiKey: 'demo-key' }, traffic: false },
    clock: { now: () => Date.parse(d?.now() ?? ''), sleep: (_, stopped) => untilStopped(stopped) },
  });
  onTestFinished(() => simulator.stop());
  let timeoutMs = patientMs;
  const ask = async (request: ServiceRequest) => {
    const answer = await telephonyHttp({ timeoutMs, maxBytes: 8 * 1024 * 1024 }).post(request);
    if (!answer.ok && answer.problem.reason === 'timeout') d?.advance(requestTimeoutMs);
    return answer;
  };
  const polled = await deployment({
    startedAt: '2026-11-21T10:00:00.000Z',
    accounts: [{ ...account, apiKeys: ['demo-key'], baseUrl: simulator.url, token: { kind: 'none' } }],
    service: { logins: [ask] },
  });
  d = polled;
  simulator.script(JSON.stringify(team));
  await polled.poll();
  await polled.settled();
  const before = polled.published().length;
  return {
    ...polled,
    /** The service's next answers are of a kind, or never come. */
    async answer(kind: AnswerKind, count: number, more: object) {
      if (kind === 'slow') timeoutMs = shortMs;
      const body = JSON.stringify({ kind, count, ...more });
      await fetch(`${simulator.url}/_simulator/answers`, { method: 'POST', body });
    },
    answersInTime() {
      timeoutMs = patientMs;
    },
    usage: () => simulator.accounts()['demo'],
    /** The agents' rows, the state of each, and the row of the poll status. */
    async picture() {
      const agents = Object.values(await polled.agents());
      const states = Object.fromEntries(agents.map(({ agentId, state }) => [agentId, state]));
      return { agents, states, feed: await polled.feed() };
    },
    /** The types of the events since they logged in. */
    async eventTypes() {
      await polled.settled();
      return polled
        .published()
        .slice(before)
        .map(({ type }) => type);
    },
  };
};

const loggedOut = team.map(() => 'Agent Logged Out');

/** The effect of an answer: a problem, which changes no agent, or other states than before. */
interface Expected {
  readonly reason?: PollProblem;
  /** The problem may be brief, so there is a second request in the same slot. */
  readonly isRetried?: true;
  readonly states?: Readonly<Record<string, string>>;
  readonly eventTypes?: readonly string[];
  readonly unreadableRecords?: number;
}

const expectations: Readonly<Record<AnswerKind, Expected>> = {
  'rate-limit-text': { reason: 'rate-limited' },
  'invalid-text': { reason: 'unauthorised' },
  '401-status-false': { reason: 'unauthorised' },
  '429': { reason: 'rate-limited' },
  '405-no-json': { reason: 'http-error', isRetried: true },
  '500': { reason: 'http-error', isRetried: true },
  html: { reason: 'not-json', isRetried: true },
  'truncated-json': { reason: 'not-json', isRetried: true },
  redirect: { reason: 'redirect' },
  huge: { reason: 'too-large' },
  slow: { reason: 'timeout', isRetried: true },
  'message-object': {},
  'message-by-index': {},
  'message-success-details': {},
  'odd-case': {},
  'undocumented-fields': {},
  'malformed-record': { unreadableRecords: 4 },
  'no-data-found': { states: {}, eventTypes: loggedOut },
  'empty-list': { states: {}, eventTypes: loggedOut },
  'unknown-state': { states: { ...teamStates, asha: 'unknown' }, eventTypes: ['Agent State Changed'] },
  // One of the two records counts.
  'duplicate-agent': { states: { ...teamStates, asha: 'acw' }, eventTypes: ['Agent State Changed'] },
};

describe('three agents', () => {
  it('are polled with every kind of answer that the simulator knows', () => {
    expect(Object.keys(expectations).sort()).toEqual([...answerKinds].sort());
  });

  it.each(answerKinds)('are as documented after the answer %s, and as before after the next good one', async (kind) => {
    const {
      reason,
      isRetried,
      states = teamStates,
      eventTypes: types = [],
      unreadableRecords = 0,
    } = expectations[kind];
    const redirected: unknown[] = [];
    const elsewhere = await startHttpServer((request, response) => response.end(redirected.push(request.headers)));
    const centre = await polledTeam();
    const before = await centre.picture();

    await centre.answer(kind, isRetried === undefined ? 1 : 2, { location: elsewhere.url });
    await centre.poll();
    const after = await centre.picture();
    centre.answersInTime();

    expect(after.states).toEqual(states);
    if (types.length === 0) expect(after.agents).toEqual(before.agents);
    expect(after.feed).toMatchObject({ status: 'live', agentCount: Object.keys(states).length, unreadableRecords });
    expect(after.feed?.['lastProblem']).toEqual(reason && { reason, at: after.feed?.['failingSince'] });
    expect(after.feed?.['asOf'] === before.feed?.['asOf']).toBe(reason !== undefined);
    expect(centre.usage()?.requests).toBe(isRetried === undefined ? 2 : 3);
    expect(await centre.eventTypes()).toEqual(types);
    expect(redirected).toEqual([]);

    centre.advance(60_000);
    await centre.poll();
    expect(await centre.picture()).toMatchObject({ states: teamStates, feed: { status: 'live', agentCount: 3 } });
    expect((await centre.picture()).feed).not.toHaveProperty('failingSince');
    expect(centre.usage()?.overLimit).toBe(0);
  });
});

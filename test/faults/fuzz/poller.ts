import { ok } from '../../../lib/core/result.ts';
import type { TelephonyService } from '../../../lib/service/service.ts';
import type { Row } from '../../../lib/storage/rows.ts';
import type { LoginRow } from '../../../sandbox/simulator/answers.ts';
import { createMemoryWorld } from '../../deployment/world.ts';
import { must } from '../property.ts';
import { agentRecord, answerWith, written } from './json-nodes.ts';
import { leakedSecrets, notStorable, pollutedPrototypes, textsIn } from './receiver.ts';

export const listed = (AgentId: string, AgentState = 'READY', SkillName = 'Sales'): LoginRow => ({
  AgentId,
  AgentName: `${AgentId} by name`,
  PhoneNumber: `0900-${AgentId}`,
  AgentState,
  SkillName,
});

export const goodAnswer = (agents: readonly LoginRow[]) => written(answerWith(agents.map(agentRecord)));

/** What the poller is given between two good answers, and what is right to make of it. */
export interface PollTrial {
  readonly account: Readonly<Record<string, unknown>> & {
    readonly userName: string;
    readonly apiKeys: readonly string[];
  };
  readonly agents: readonly LoginRow[];
  /** What the service answers in the middle; in the poll before and after it is good. */
  readonly odd: TelephonyService;
  readonly good: TelephonyService;
  /** How long after the first poll. */
  readonly afterMs: number;
  readonly mayLogOut: (agentId: string) => boolean;
  /** The agents whose records are intact, if the answer is read. */
  readonly intact: readonly LoginRow[];
  /** What the service was sent, and might repeat. */
  readonly secrets: readonly string[];
}

/** Another account of the same deployment, whose service is always well. */
const healthy = { userName: 'healthy', apiKeys: ['key-of-healthy'], baseUrl: 'https://healthy.invalid' };
const ofBoth = { timeZone: 'Asia/Kolkata', token: { kind: 'none' } };

/** Longer than any rejection or `Retry-After` keeps the poller from asking. */
export const longMs = 61 * 60_000;

/** The processor time that a poll may take, in microseconds: a slow function has a third of this machine's speed. */
const maxCpuMicroseconds = 3_000_000;

const stateOf = (rows: readonly Row[], account: string) => {
  const own = rows.filter((row) => row['account'] === account);
  const feed = own.find(({ kind }) => kind === 'feed') ?? {};
  const agents = own.filter(({ kind, state }) => kind === 'agent' && state !== 'logged-out');
  return { feed, agents: new Map(agents.map((row) => [row['agentId'], row])) };
};

const isAs = ({ AgentState, AgentName, PhoneNumber }: LoginRow, row: Row | undefined): boolean =>
  row?.['stateAsSent'] === AgentState && row['name'] === AgentName && row['phoneNumber'] === PhoneNumber;

/** Polls three times, with the odd answer in the middle. Returns `read`, or why that was not. */
export const pollsThrough = async (trial: PollTrial): Promise<string> => {
  const { account, agents, odd, good, mayLogOut, intact, secrets } = trial;
  let isOdd = false;
  const lines: string[] = [];
  const world = createMemoryWorld({
    startedAt: '2026-11-20T06:00:00Z',
    accounts: [account, healthy].map((each) => ({ ...ofBoth, ...each })),
    onLine: (line) => lines.push(line),
    telephony: {
      post: async (request) =>
        request.url.startsWith(healthy.baseUrl)
          ? ok({ status: 200, text: goodAnswer([listed('meera')]) })
          : (isOdd ? odd : good).post(request),
    },
  });
  const instance = world.start();
  const poll = async () => {
    await world.tick(instance);
    const polluted = pollutedPrototypes();
    must(polluted.length === 0, () => polluted.join());
    return world.rows('agents');
  };

  const rowsFirst = await poll();
  world.advance(trial.afterMs);
  isOdd = true;
  const used = process.threadCpuUsage();
  const rowsThen = await poll();
  const { user, system } = process.threadCpuUsage(used);
  isOdd = false;
  world.advance(longMs);
  const rowsAfter = await poll();
  const own = (rows: readonly Row[]) => stateOf(rows, account.userName);
  const first = own(rowsFirst);
  const then = own(rowsThen);
  const after = own(rowsAfter);
  const outcome =
    then.feed['asOf'] === first.feed['asOf'] ? String(Object(then.feed['lastProblem']).reason ?? 'not polled') : 'read';

  must(user + system < maxCpuMicroseconds, () => `A poll took ${user + system} µs`);
  const errors = lines.filter((line) => line.includes('"level":"error"'));
  must(errors.length === 0, () => `An error was logged: ${errors[0]}`);
  const texts = [textsIn([rowsThen, rowsAfter]).join('\n'), lines.join('\n')];
  const leaked = texts.flatMap((text) => leakedSecrets(text, secrets));
  must(leaked.length === 0, () => `The secret ${leaked[0]} is in a row or log`);
  const unstorable = notStorable([...rowsThen, ...rowsAfter]);
  must(unstorable.length === 0, () => unstorable.join());
  const asOf = [rowsFirst, rowsThen].map((rows) => String(stateOf(rows, healthy.userName).feed['asOf']));
  must(String(asOf[0]) < String(asOf[1]), () => 'The other account is not polled beside it');
  for (const agent of agents) {
    const { AgentId } = agent;
    must(
      then.agents.has(AgentId) || mayLogOut(AgentId),
      () => `${AgentId} is logged out, which the answer does not say`,
    );
    must(isAs(agent, after.agents.get(AgentId)), () => `${AgentId} differs from the good answer afterwards`);
  }
  for (const agent of outcome === 'read' ? intact : [])
    must(isAs(agent, then.agents.get(agent.AgentId)), () => `${agent.AgentId} differs from its intact record`);
  must(after.agents.size <= agents.length, () => 'There are more agents than in the good answer afterwards');
  must(after.feed['failingSince'] === undefined, () => 'The feed still fails after the good answer');
  return outcome;
};

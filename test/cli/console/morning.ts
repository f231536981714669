import { readFileSync } from 'node:fs';
import { mock } from 'node:test';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { localClient } from '../../../sandbox/local-aws.ts';
import type { Addresses, SandboxState } from '../../../sandbox/sandbox-routes.ts';
import { longestCallMilliseconds } from '../../../sandbox/simulator/call.ts';
import { createFloor, createLiveFloor, type Floor, type LoggedIn } from '../../../sandbox/simulator/floor.ts';
import { formCarrier, type Wire } from '../../../sandbox/simulator/posts.ts';
import { between, fork, type Random, seededRandom } from '../../../sandbox/simulator/random.ts';
import type { Step } from '../../../sandbox/simulator/script.ts';
import { type SimulatedCall, simulatedCall } from '../../../sandbox/simulator/simulated-call.ts';
import { until } from '../../support/process-tree.ts';

const account = { userName: 'demo', apiKeys: ['demo-key'], timeZone: 'Asia/Kolkata' };
const seed = 18;
const minute = 60_000;
const pollMs = minute / 2;
const at = (time: string): number => Date.parse(`2026-11-20T${time}+05:30`);
const [opens, ends] = [at('08:00:00'), at('11:42:00')];
const timeIn = (now: number): string => new Date(now).toLocaleTimeString('en-GB', { timeZone: account.timeZone });
/** While the service does not answer polls. */
const fails = { [at('10:51:00')]: 'error', [at('10:56:30')]: 'none' };

/** A call with several legs, agents and deliveries. */
export const transferredCall = '41781234567890123';

/** A moment before the interruption. */
export const earlier = new Date(at('10:45:00')).toISOString();

/** A post, and when it is sent. */
interface DuePost {
  readonly at: number;
  readonly wire: Wire;
}

/** What is told of that call: its legs and a participant, then the disposition, and late a poorer copy. */
const transferredPosts = (): readonly DuePost[] => {
  const example = readFileSync('sandbox/examples/advanced-callback.json', 'utf8');
  // Its ids are bare numbers of 17 digits.
  const [{ UCID, ...whole }, participant] = JSON.parse(example.replaceAll(/: (\d{17})/g, ': "$1"'));
  const inbound = { ...whole, AgentID: 'asha01 -> devi07', Skill: 'Support', TimeToAnswer: '00:00:18' };
  const first = { ...inbound, UCID, AgentID: 'asha01', EndTime: '2026-11-20 11:13:05' };
  const second = { ...inbound, UCID: participant.CallID, AgentID: 'devi07', StartTime: participant.StartTime };
  return [
    ['11:16:45', [first, second, { ...participant, EndTime: whole.EndTime }]] as const,
    ['11:18:10', { ...inbound, Disposition: 'Sale' }] as const,
    ['11:31:20', { ...inbound, AgentID: '', Status: 'NotAnswered', CallDuration: '00:00:00', AudioFile: '' }] as const,
  ].map(([time, records]) => ({ at: at(time), wire: formCarrier.carry(JSON.stringify(records)) }));
};

/** Agents who leave the simulation at the first of these times, for what it never has: long states, and a new word. */
const apart: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  asha01: { '11:09:30': 'INCALL', '11:13:30': 'ACW', '11:14:30': 'READY', '11:33:00': 'INCALL' },
  devi07: { '11:13:00': 'INCALL', '11:16:30': 'ACW', '11:17:30': 'READY', '11:22:30': 'PAUSE' },
  karl20: { '11:30:30': 'ACW' },
  jose17: { '11:35:30': 'ACW' },
  zoe14: { '11:29:00': 'Coaching' },
};

const apartAt = (now: number): readonly Pick<LoggedIn, 'id' | 'state'>[] =>
  Object.entries(apart).flatMap(([id, states]) => {
    const state = Object.entries(states).findLast(([from]) => at(from) <= now)?.[1];
    return state === undefined ? [] : [{ id, state }];
  });

/** A working day; the sandbox's own shifts take twenty minutes. */
const workingDay = (random: Random, id: string) => {
  const beginsAt = opens + between(random, 0, 60) * minute;
  const [leaves = '16:00:00'] = Object.keys(apart[id] ?? {});
  return {
    ...{ beginsAt, shift: at(leaves) - beginsAt, pauseBetween: 960 * minute },
    seed: between(random, 0, 2 ** 31),
    preparation: between(random, 2, 5) * minute,
    block: between(random, 50, 100) * minute,
    rest: between(random, 5, 12) * minute,
  };
};

/** A call; where nobody was free for it, another one: the simulator misses more of them than a good morning does. */
const newCall = (random: Random, postedAt: number, floor: Floor): SimulatedCall => {
  const draw = () => simulatedCall(fork(random), postedAt, floor, account);
  const first = draw();
  return first.calls.some(({ scenario }) => scenario.name === 'abandoned') ? draw() : first;
};

type States = ReadonlyMap<string, string>;

/** What leads from one picture of the floor to the next. */
const stepsBetween = (before: States, after: States): readonly Step[] => [
  ...[...before.keys()].filter((id) => !after.has(id)).map((agentId): Step => ({ action: 'log-out', agentId })),
  ...[...after]
    .filter(([id, state]) => before.get(id) !== state)
    .map(([agentId, state]): Step => ({ action: before.has(agentId) ? 'set-state' : 'log-in', agentId, state })),
];

const request = async (method: 'POST' | 'PUT', address: string, body: string, contentType = 'application/json') => {
  const answer = await fetch(address, { method, body, headers: { 'content-type': contentType } });
  // A stranger's post is refused, and belongs to a morning.
  if (answer.status >= 500) throw new Error(`${method} ${address} was answered ${answer.status}.`);
};

/**
 * Lets a contact centre's morning happen in a sandbox without polling and traffic: 25 agents, some hundred calls. `Date` is
 * set from one poll and post to the next, and stays at the morning's end, a few seconds after the last poll.
 */
export const playMorning = async (addresses: Addresses, onProgress: (time: string) => void): Promise<Date> => {
  const random = seededRandom(seed);
  const staff = createFloor(fork(random), 25);
  const floor = createLiveFloor(staff, new Map(staff.agents.map(({ id }) => [id, workingDay(fork(random), id)])));
  const sqs = new SQSClient(localClient(addresses.sqs));
  const processed = async () => ((await (await fetch(addresses.sandbox)).json()) as SandboxState).counts.ticksProcessed;
  let due = transferredPosts();
  let nextAt = opens + 20 * minute;
  let shown: States = new Map();

  mock.timers.enable({ apis: ['Date'], now: opens });
  for (let now = opens; now <= ends; now += pollMs) {
    // Calls are planned ahead, so that no agent is in two of them.
    for (; nextAt <= now + longestCallMilliseconds; nextAt += between(random, 2, 24) * 1000) {
      const { calls, posts } = newCall(random, nextAt, floor.planned());
      floor.engage(
        calls.flatMap(({ engagements }) => engagements),
        now,
      );
      due = [...due, ...posts.map((wire) => ({ at: nextAt + wire.afterSeconds * 1000, wire }))];
    }
    for (const post of due.filter((one) => one.at <= now).sort((a, b) => a.at - b.at)) {
      mock.timers.setTime(post.at);
      const { query, body, contentType } = post.wire;
      await request('POST', `${addresses.callbacks}?${query}`, body, contentType);
    }
    due = due.filter((one) => one.at > now);

    mock.timers.setTime(now);
    const next = new Map([...floor.loggedInAt(now), ...apartAt(now)].map(({ id, state }) => [id, state]));
    await request('POST', addresses.agents, JSON.stringify(stepsBetween(shown, next)));
    shown = next;
    if (fails[now] !== undefined) await request('PUT', `${addresses.faults}/provider`, `{"mode":"${fails[now]}"}`);
    const before = await processed();
    await sqs.send(new SendMessageCommand({ QueueUrl: addresses.tickQueue, MessageBody: 'by hand' }));
    await until('the poll', processed, (count) => count > before, { everyMilliseconds: 5 });
    if ((now - opens) % (30 * minute) === 0) onProgress(timeIn(now));
  }
  sqs.destroy();
  mock.timers.setTime(ends + 6_000);
  return new Date();
};

import { expect, it } from 'vitest';
import { createCallfeedClient, dayFigures, dayFiguresBy } from '../../../lib/client/index.ts';
import { awsClients } from '../../deployment/aws-clients.ts';
import { simulatedCentre } from '../../deployment/simulated-centre.ts';

/** The call of an event, as a subscriber without this project's code sees it. */
interface EventCall {
  readonly revision: number;
  readonly status?: string;
  readonly type?: string;
  readonly hangupBy?: string;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly skillName?: string;
  readonly timeToAnswerSeconds?: number;
  readonly durationSeconds?: number;
  readonly holdSeconds?: number;
  readonly wrapUpSeconds?: number;
}

const [short, within] = [10, 20];
const thousandth = (value: number) => Math.round(value * 1000) / 1000;

/** The figures of calls, in the plainest way: by the sentences of docs/figures.md, without anything of the product. */
const recomputed = (calls: readonly EventCall[]) => {
  const knows = (word: string | undefined) => word !== undefined && word !== 'unknown';
  const offered = calls.filter(({ type }) => type === undefined || type === 'inbound');
  const answered = offered.filter(({ status }) => status === 'answered');
  const missed = offered.filter(({ status }) => status === 'not-answered');
  const abandoned = missed.filter(({ hangupBy }) => hangupBy === 'user');
  const lasted = ({ startedAt = '', endedAt = '' }: EventCall) => (Date.parse(endedAt) - Date.parse(startedAt)) / 1000;
  const shortOnes = abandoned.filter((call) => lasted(call) >= 0 && lasted(call) < short);
  const handled = calls.filter(({ status, type }) => status === 'answered' && type !== 'ivr');
  const waits = answered.flatMap(({ timeToAnswerSeconds }) => timeToAnswerSeconds ?? []);
  const inTime = waits.filter((seconds) => seconds <= within).length;
  const missedInEarnest = missed.length - shortOnes.length;
  const tellWhoHungUp = missed.filter(({ hangupBy }) => knows(hangupBy)).length - shortOnes.length;

  const durations = (name: string, values: readonly number[]): object => {
    if (values.length === 0) return {};
    const sorted = [...values].sort((a, b) => a - b);
    const middle = sorted.length / 2;
    const total = sorted.reduce((sum, seconds) => sum + seconds, 0);
    const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
    return {
      [`${name}MedianSeconds`]: thousandth(median),
      [`${name}AverageSeconds`]: thousandth(total / sorted.length),
      [`${name}TotalSeconds`]: thousandth(total),
    };
  };
  const all = {
    calls: calls.length,
    offered: offered.length,
    answered: answered.length,
    missed: missed.length,
    abandoned: abandoned.length,
    shortAbandoned: shortOnes.length,
    undecided: offered.filter(({ status }) => !knows(status)).length,
    serviceLevel: thousandth(inTime / (waits.length + missedInEarnest)),
    abandonment: thousandth((abandoned.length - shortOnes.length) / (answered.length + tellWhoHungUp)),
    ...durations('timeToAnswer', waits),
    timeToAnswerLongestSeconds: Math.max(...waits),
    handled: handled.length,
    ...durations(
      'talk',
      handled.flatMap(({ durationSeconds }) => durationSeconds ?? []),
    ),
    ...durations(
      'hold',
      handled.flatMap(({ holdSeconds }) => holdSeconds ?? []),
    ),
    ...durations(
      'wrapUp',
      handled.flatMap(({ wrapUpSeconds }) => wrapUpSeconds ?? []),
    ),
    ...durations(
      'handle',
      handled.flatMap(({ durationSeconds, holdSeconds, wrapUpSeconds }) => {
        const parts = [durationSeconds, holdSeconds, wrapUpSeconds].filter((seconds) => seconds !== undefined);
        return parts.length === 3 ? [parts.reduce((sum, seconds) => sum + seconds, 0)] : [];
      }),
    ),
  };
  const {
    timeToAnswerTotalSeconds: _wait,
    handleTotalSeconds: _handle,
    ...figures
  } = { ...all } as Record<string, number>;
  return figures;
};

it('the figures of simulated hours are those that a short script computes from the events', async () => {
  const { world, slots } = simulatedCentre({ seed: 33, gapMs: 12_000 });
  const latest = new Map<string, EventCall>();
  for await (const _slot of slots(1))
    for (const { detail } of world.takeEvents()) {
      const { call, callId, revision } = Object(detail);
      if (call !== undefined && revision > (latest.get(callId)?.revision ?? 0))
        latest.set(callId, { ...call, revision });
    }
  const midnight = '2026-11-20T18:30:00.000Z';
  const calls = [...latest.values()].filter(({ startedAt = midnight }) => startedAt >= midnight);

  const { dynamodb } = awsClients(
    (name) => (request) =>
      world.services[name]({ method: 'POST', path: '/', headers: { ...request.headers }, body: request.body }),
  );
  const tables = { calls: 'calls', agents: 'agents' };
  const client = createCallfeedClient({ dynamodb, tables, account: 'demo', clock: () => world.now() });
  const day = await client.day('2026-11-21', 'Asia/Kolkata');
  const values = (figures: object) =>
    Object.fromEntries(
      Object.entries(figures).flatMap(([name, { value }]) => (value === undefined ? [] : [[name, value]])),
    );
  const settings = { shortSeconds: short, withinSeconds: within };

  expect(calls.length).toBeGreaterThan(200);
  expect(values(dayFigures(day, settings).calls)).toEqual(recomputed(calls));
  const skills = dayFiguresBy('skill', day, settings);
  expect(skills.length).toBeGreaterThan(3);
  for (const { key, calls: figures } of skills.filter(({ calls: { answered } }) => answered.value))
    expect(values(figures)).toEqual(recomputed(calls.filter(({ skillName }) => skillName === key)));
  const quarters = dayFiguresBy('quarter', day, settings).filter(({ calls: { answered } }) => answered.value);
  expect(quarters.length).toBeGreaterThan(3);
  for (const { key = '', calls: figures } of quarters) {
    const end = new Date(Date.parse(key) + 900_000).toISOString();
    const started = calls.filter(({ startedAt = '' }) => startedAt >= key && startedAt < end);
    expect(values(figures)).toEqual(recomputed(started));
  }
});

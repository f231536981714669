import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Answers } from '../../../cli/console/api.ts';
import { addDays, localDate } from '../../../lib/core/time.ts';
import { daysBefore } from '../../../sandbox/demo/calendar.ts';
import type { DemoState } from '../../../sandbox/demo/demo.ts';
import { type Sandbox, startSandbox } from '../../../sandbox/sandbox.ts';
import type { SandboxState } from '../../../sandbox/sandbox-routes.ts';
import { until } from '../../support/process-tree.ts';
import { eventLines } from '../../support/sandbox.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const timeZone = 'Asia/Kolkata';
const ports = { port: 0, dynamodbPort: 0, providerPort: 0 };

/** A process can have one sandbox at a time, so these share two starts on one folder. They run in the order given. */
describe('npm start -- --demo', { shuffle: false }, () => {
  const data = temporaryFolder('demo').path;
  let sandbox: Sandbox;
  let lines: string[] = [];
  const start = () => {
    lines = [];
    return startSandbox({ ...ports, traffic: true, demo: true, data, onLog: (line) => lines.push(line) });
  };
  /** What the terminal has shown of the demonstration, without the time of day. */
  const shownLines = () => lines.flatMap((line) => /^\S+ +demo +(.*)$/.exec(line)?.[1] ?? []);
  const state = async () => (await (await fetch(sandbox.addresses.sandbox)).json()) as SandboxState;
  const demo = async (): Promise<DemoState> => {
    const { demo: shown } = await state();
    if (shown === undefined) throw new Error('The sandbox has no demonstration.');
    return shown;
  };
  const ask = async <Address extends keyof Answers>(address: Address, query = ''): Promise<Answers[Address]> => {
    const answer = await fetch(`${sandbox.addresses.gateway}/console/api/${address}?${query}`);
    if (!answer.ok) throw new Error(`${address}?${query} is answered ${answer.status}`);
    return (await answer.json()) as Answers[Address];
  };
  const callsOn = async (day: string): Promise<number> => {
    const answer = await ask('day', `day=${day}`);
    if ('tooMany' in answer) throw new Error(`${day} has too many calls.`);
    return answer.figures.find(({ name }) => name === 'calls')?.opens?.count ?? 0;
  };
  const ids = async () => (await eventLines(sandbox.addresses.events)).map((line) => JSON.parse(line).detail.id);
  const today = () => localDate(new Date().toISOString(), timeZone);
  let made: readonly string[];

  beforeAll(async () => {
    sandbox = await start();
  });
  afterAll(() => sandbox.stop());

  it('has yesterday when it has started, and polls the present without an interruption', async () => {
    expect(await callsOn(addDays(today(), -1))).toBeGreaterThan(100);
    await until(
      'a poll',
      async () => (await state()).counts.ticksProcessed,
      (count) => count > 0,
    );
    expect((await ask('feed')).freshness).toBe('live');
    expect((await ids()).length).toBeGreaterThan(500);
    expect((await eventLines(sandbox.addresses.events)).join()).not.toContain('Agent Feed Interrupted');
  });

  it('says in the terminal how long it took', () => {
    expect(shownLines()).toContainEqual(expect.stringMatching(/^today and yesterday were made in [1-9]\d* s$/));
  });

  it('shows its people, and what is behind each of its links', async () => {
    const { links } = await demo();
    expect(links).toHaveLength(5);
    expect(sandbox.demoLinks).toEqual(links);
    expect((await ask('about')).isPersonal).toBe(true);
    const [returned, badHour, skill, chain, agent] = links.map(({ hash }) => new URL(hash.slice(1), 'http://page'));
    const idOf = (link: URL | undefined) => `id=${link?.pathname.split('/')[2]}`;
    expect((await ask('call', idOf(returned))).call?.facts.status).toBe('not-answered');
    expect(Object.keys(await ask('day', badHour?.search.slice(1)))).toContain('groups');
    expect(Object.keys(await ask('day', skill?.search.slice(1)))).toContain('groups');
    expect((await ask('call', idOf(chain))).call?.facts.agentIds).toHaveLength(3);
    expect((await ask('agent', `${idOf(agent)}&${agent?.search.slice(1)}`)).intervals.length).toBeGreaterThan(10);
  });

  it('has the week after some time, and every event once', async () => {
    const whole = await until('the week', demo, ({ days, daysMade }) => daysMade === days, { seconds: 600 });
    expect(whole.problem).toBeUndefined();
    for (let ago = 1; ago <= whole.days; ago++) expect(await callsOn(addDays(today(), -ago))).toBeGreaterThan(80);
    made = await ids();
    expect(new Set(made).size).toBe(made.length);
    const times = (await eventLines(sandbox.addresses.events)).map((line) => JSON.parse(line).time);
    expect(times).toEqual(times.toSorted());
    expect(localDate(times[0], timeZone)).toBe(addDays(today(), -whole.days));
  });

  it('goes on in the folder of an earlier run, without anything twice', async () => {
    const calls = await callsOn(addDays(today(), -1));
    await sandbox.stop();
    sandbox = await start();

    expect(await callsOn(addDays(today(), -1))).toBe(calls);
    expect((await demo()).daysMade).toBe(daysBefore);
    expect(shownLines()).toEqual([
      expect.stringMatching(/^what was missed since the last run was made up for in [1-9]\d* s$/),
    ]);
    const after = await ids();
    expect(new Set(after).size).toBe(after.length);
    expect(after).toEqual(expect.arrayContaining([...made]));
  });
});

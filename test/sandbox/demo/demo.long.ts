import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addDays, localDate } from '../../../lib/core/time.ts';
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
  const start = () => startSandbox({ ...ports, traffic: true, demo: true, data });
  const state = async () => (await (await fetch(sandbox.addresses.sandbox)).json()) as SandboxState;
  const demo = async (): Promise<DemoState> => {
    const { demo: shown } = await state();
    if (shown === undefined) throw new Error('The sandbox has no demonstration.');
    return shown;
  };
  const ask = async (path: string) => {
    const answer = await fetch(`${sandbox.addresses.gateway}/console/api/${path}`);
    return [answer.status, await answer.json()] as const;
  };
  const callsOn = async (day: string): Promise<number> => {
    const [, { figures }] = await ask(`day?day=${day}`);
    return figures.find(({ name }: { name: string }) => name === 'calls').opens.count;
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
    const [, feed] = await ask('feed');
    expect(feed.freshness).toBe('live');
    expect((await ids()).length).toBeGreaterThan(500);
    expect((await eventLines(sandbox.addresses.events)).join()).not.toContain('Agent Feed Interrupted');
  });

  it('shows its people, and what is behind each of its links', async () => {
    const { links } = await demo();
    expect(links).toHaveLength(5);
    expect(sandbox.demoLinks).toEqual(links);
    const [, about] = await ask('about');
    expect(about.isPersonal).toBe(true);
    for (const { hash } of links) {
      const [view = '', query = ''] = hash.slice('#/'.length).split('?');
      const [name, id] = view.split('/');
      const [status] = await ask(`${name}?${new URLSearchParams({ ...(id && { id }), ...day(query) })}`);
      expect([hash, status]).toEqual([hash, 200]);
    }
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
    expect((await demo()).daysMade).toBe(7);
    const after = await ids();
    expect(new Set(after).size).toBe(after.length);
    expect(after).toEqual(expect.arrayContaining([...made]));
  });
});

const day = (query: string): Readonly<Record<string, string>> => Object.fromEntries(new URLSearchParams(query));

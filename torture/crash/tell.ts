import { telephonyHttp } from '../../functions/adapters/telephony-http.ts';
import { createLocalWorld } from '../world/local-world.ts';
import { createCentre } from './centre.ts';
import type { Ending } from './ending.ts';
import type { Plan } from './plan.ts';
import { createProcesses } from './processes.ts';
import type { Scenario } from './scenario.ts';
import type { Stage } from './stage.ts';
import { createStory, type Told } from './story.ts';

const dayMs = 86_400_000;

/** Each story has a day of its own, as the bound on strangers is one of all accounts together. */
const beginning = (number: number, { beginsAt = '06:00:00' }: Scenario): string =>
  `${new Date(Date.UTC(2027, 0, 1) + number * dayMs).toISOString().slice(0, 10)}T${beginsAt}.000Z`;

/** Longer than any answer on this machine takes. */
const httpTimeoutMs = 20_000;

/** Plays a scenario with these faults to its end. Throws when an invocation does, or something never comes to pass. */
export const tell = async (stage: Stage, scenario: Scenario, plan: Plan): Promise<Ending> => {
  const number = stage.next();
  const name = `crash-${String(number).padStart(6, '0')}`;
  const key = `secret-key-of-${name}`;
  const startedAt = beginning(number, scenario);
  const centre = createCentre(() => world.now(), key, scenario.token === true);
  const remote = scenario.http ? stage.centres.open(name, centre) : undefined;
  const leaks: string[] = [];
  const guard = (where: string, text: string): void => {
    if (text.includes(key)) leaks.push(`${where}: ${text.slice(0, 500)}`);
  };
  const account = {
    userName: name,
    apiKeys: [key],
    ...(scenario.polled && { baseUrl: remote?.url ?? `https://${name}.invalid` }),
    ...(scenario.token && { token: { kind: 'generate' } }),
  };
  const world = createLocalWorld(stage.tables, {
    ...{ name, startedAt, accounts: [account] },
    telephony: remote === undefined ? centre.service : telephonyHttp({ timeoutMs: httpTimeoutMs }),
    onLine: (line) => guard('a log line', line),
  });
  const processes = createProcesses({ world, plan, centre, strike: remote?.strike });
  const told: Told = { statuses: [], strangersKept: [], tries: [], bodies: new Set(), acknowledged: new Set() };
  const story = createStory({ name, key, world, centre, processes }, told);

  try {
    await scenario.play(story);
    await story.recover();
    await story.publish();
    const rows = {
      calls: await world.rows('calls'),
      quarantine: await world.rows('quarantine'),
      agents: await world.rows('agents'),
    };
    for (const [table, all] of Object.entries(rows)) guard(`a row of ${table}`, JSON.stringify(all));
    guard('an event', JSON.stringify(world.events()));
    for (const body of told.bodies) guard('a message', body);
    return {
      ...{ name, rows, leaks },
      events: world.events(),
      changes: world.changes(),
      parked: world.parking.messages().map(({ body }) => body),
      deadLetters: world.deadLetters.messages().map(({ body }) => body),
      statuses: told.statuses,
      quarantined: told.strangersKept,
      tries: told.tries,
      acknowledged: [...told.acknowledged],
      floor: [...centre.floor.values()],
      offences: centre.offences(),
      repeatsExplained: processes.repeatsExplained(),
      calls: processes.calls(),
    };
  } finally {
    world.close();
  }
};

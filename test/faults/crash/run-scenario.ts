import { telephonyHttp } from '../../../functions/adapters/telephony-http.ts';
import type { Facts } from '../../../lib/core/objects.ts';
import type { RowChange } from '../../../lib/publish/row-change.ts';
import type { Envelope } from '../../../sandbox/bus/event-log.ts';
import { type LocalTables, startLocalTables } from '../world/local-dynamodb.ts';
import { createLocalWorld } from '../world/local-world.ts';
import { type CentresServer, createCentre, type ListedAgent, serveCentres } from './contact-centre.ts';
import { createProcesses, type Plan } from './processes.ts';
import { createScenarioRun, type Observed, type Scenario } from './scenario.ts';

const dayMs = 86_400_000;

/** Each story has a day of its own, as the bound on strangers is one of all accounts together. */
const beginning = (number: number, { beginsAt = '06:00:00' }: Scenario): string =>
  `${new Date(Date.UTC(2027, 0, 1) + number * dayMs).toISOString().slice(0, 10)}T${beginsAt}.000Z`;

/** Longer than any answer on this machine takes. */
const httpTimeoutMs = 20_000;

/** Plays a scenario with these faults to its end. Throws when an invocation does, or something never comes to pass. */
export const runScenario = async (stage: TestBed, scenario: Scenario, plan: Plan): Promise<FinalState> => {
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
  const told: Observed = { statuses: [], strangersKept: [], tries: [], bodies: new Set(), acknowledged: new Set() };
  const story = createScenarioRun({ name, key, world, centre, processes }, told);

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

/** All that a story has left behind. */
export interface FinalState {
  /** Of the account, which another telling of the story does not share. */
  readonly name: string;
  readonly rows: Readonly<Record<'calls' | 'quarantine' | 'agents', readonly Facts[]>>;
  readonly events: readonly Envelope[];
  readonly changes: readonly RowChange[];
  readonly parked: readonly string[];
  readonly deadLetters: readonly string[];
  /** What posts were answered; undefined where no answer came. */
  readonly statuses: readonly (number | undefined)[];
  /** The ids of calls of which a summary was acknowledged. */
  readonly acknowledged: readonly string[];
  /** What each answer said was quarantined. */
  readonly quarantined: readonly number[];
  /** When posts were made. */
  readonly tries: readonly string[];
  readonly floor: readonly ListedAgent[];
  readonly offences: readonly string[];
  readonly repeatsExplained: boolean;
  /** Where the account's key was found. */
  readonly leaks: readonly string[];
  readonly calls: readonly string[];
}

/** What all stories share: the tables, and the address of the contact centres. */
export interface TestBed {
  readonly tables: LocalTables;
  readonly centres: CentresServer;
  /** A number that no other story has: by it names and days are told apart. */
  readonly next: () => number;
  readonly close: () => Promise<void>;
}

/** Sets the stage, in the DynamoDB Local at an address, or in one of its own. */
export const createTestBed = async (elsewhere?: string): Promise<TestBed> => {
  const tables = await startLocalTables(elsewhere);
  const centres = await serveCentres();
  let count = 0;
  return {
    ...{ tables, centres },
    next: () => count++,
    async close() {
      await centres.close();
      await tables.stop();
    },
  };
};

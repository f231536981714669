import { startLocalTables } from '../../deployment/local-dynamodb.ts';
import { createLocalWorld } from '../../deployment/local-world.ts';
import { createCentre } from './contact-centre.ts';
import { createProcesses, type Plan } from './processes.ts';
import { createScenarioRun, type Observed, type Scenario } from './scenario.ts';

const dayMs = 86_400_000;

/** Each run has a day of its own, as all accounts share the limit of unknown senders’ bodies per minute. */
const startOf = (number: number, { beginsAt = '06:00:00' }: Scenario): string =>
  `${new Date(Date.UTC(2027, 0, 1) + number * dayMs).toISOString().slice(0, 10)}T${beginsAt}.000Z`;

/** Plays a scenario with these faults to its end. Throws if an invocation throws, or something expected never happens. */
export const runScenario = async (testBed: TestBed, scenario: Scenario, plan: Plan) => {
  const number = testBed.next();
  const name = `crash-${String(number).padStart(6, '0')}`;
  const key = `secret-key-of-${name}`;
  const startedAt = startOf(number, scenario);
  const centre = createCentre(() => world.now(), key, scenario.token === true);
  const leaks: string[] = [];
  const checkForKey = (where: string, text: string): void => {
    if (text.includes(key)) leaks.push(`${where}: ${text.slice(0, 500)}`);
  };
  const account = {
    userName: name,
    apiKeys: [key],
    timeZone: 'Asia/Kolkata',
    ...(scenario.polled && { baseUrl: `https://${name}.invalid` }),
    token: { kind: scenario.token ? 'generate' : 'none' },
  };
  const world = createLocalWorld(testBed.tables, {
    ...{ name, startedAt, accounts: [account] },
    telephony: centre.service,
    onLine: (line) => checkForKey('a log line', line),
  });
  const processes = createProcesses({ world, plan, centre });
  const observed: Observed = { statuses: [], quarantined: [], tries: [], bodies: new Set(), acknowledged: new Set() };
  const run = createScenarioRun({ name, key, world, centre, processes }, observed);

  try {
    await scenario.play(run);
    await run.recover();
    await run.publish();
    const rows = {
      calls: await world.rows('calls'),
      quarantine: await world.rows('quarantine'),
      agents: await world.rows('agents'),
    };
    for (const [table, all] of Object.entries(rows)) checkForKey(`a row of ${table}`, JSON.stringify(all));
    checkForKey('an event', JSON.stringify(world.events()));
    for (const body of observed.bodies) checkForKey('a message', body);
    return {
      ...{ name, rows, leaks },
      events: world.events(),
      changes: world.changes(),
      parked: world.parking.messages().map(({ body }) => body),
      deadLetters: world.deadLetters.messages().map(({ body }) => body),
      ...observed,
      loggedIn: centre.agents(),
      offences: centre.offences(),
      repeatsExplained: processes.repeatsExplained(),
      calls: processes.calls(),
    };
  } finally {
    world.close();
  }
};

export type FinalState = Awaited<ReturnType<typeof runScenario>>;

/** Uses the DynamoDB Local at an address, or starts one. */
export const createTestBed = async (endpoint?: string) => {
  const tables = await startLocalTables(endpoint);
  let count = 0;
  return {
    tables,
    /** A number for a run, from which its name and its day follow. */
    next: () => count++,
    close: tables.stop,
  };
};

/** What all runs share. */
export type TestBed = Awaited<ReturnType<typeof createTestBed>>;

import { beforeAll, describe, expect, it } from 'vitest';
import { keysOf } from '../../../lib/core/collections.ts';
import { tokenAccount } from '../../fixtures/accounts.ts';
import { summaryWith } from '../../support/posted-records.ts';
import { kmsKeyArn, switchedOn } from '../support/configurations.ts';
import { only, plain, someOf, synthesise } from '../support/template.ts';
import { agentFaults, polled } from './agent-scenarios.ts';
import { analysed, analyticsFaults } from './analytics-scenarios.ts';
import { calls, parked, posted, screenPops } from './callback-scenarios.ts';
import { isRaised, metricsOnDashboard, type WatchedMetric, watchedMetrics } from './evaluate-alarm.ts';
import { forwarded, forwardingFaults } from './forwarding-scenarios.ts';
import { published, publishingFaults } from './publishing-scenarios.ts';
import { reconciled, reconciliationFaults } from './reconciliation-scenarios.ts';
import { archived, recordingFaults } from './recording-scenarios.ts';
import { deployedResources, type Fault, type Run, type Scenario } from './scenario.ts';
import { callbackFaults, parkingFaults, senderFaults } from './scenario-table.ts';

/** Scenarios of a healthy deployment, which must raise no alarm. */
const healthyScenarios: readonly Scenario[] = [
  posted('Calls arrive, one of them twice, and an unknown sender posts once.', [
    ...[summaryWith(), summaryWith(), summaryWith({ monitorUCID: '7' }), summaryWith({ Apikey: 'unknown' })],
  ]),
  posted('The service posts calls, and screen pops all day.', [...calls(4), ...screenPops(50), ...calls(4)], {
    everyMs: 60_000,
  }),
  parked('A parked call is recovered at once.', 0, 10),
  published('The bus rejects an event once.', { downMinutes: 1, minutes: 10 }),
  forwarded('Deliveries are forwarded, and one attempt fails.', { minutes: 60, down: [0, 1] }),
  archived('Recordings are archived, some of them minutes later.', {
    ...{ minutes: 60, calls: 4 },
    problemAt: (minute, url) => (url.endsWith('/2') && minute < 20 ? 'not-found' : undefined),
  }),
  analysed('Events become rows, also one that is replayed.'),
  reconciled('Reconciliation finds one call in forty, and completes the others.', { hours: 8, posted: 39, lost: 1 }),
  polled('Agents are polled with a token, and a tick arrives late.', {
    minutes: 19,
    accounts: [tokenAccount],
    ticks: (minute) => (minute === 3 ? [1, 200] : [1]),
  }),
];

const faults: readonly Fault[] = [
  ...callbackFaults,
  ...senderFaults,
  ...parkingFaults,
  ...publishingFaults,
  ...agentFaults,
  ...reconciliationFaults,
  ...forwardingFaults,
  ...recordingFaults,
  ...analyticsFaults,
];

/** All scenarios run before the first test. On a busy machine that takes longer than the limit of a hook. */
const runsTimeoutMs = 300_000;

const { template } = synthesise({ context: { kmsKeyArn, ...switchedOn, dashboard: 'on' } });
const deployed = deployedResources(template);
const alarms = someOf(template, 'AWS::CloudWatch::Alarm').map(([id]) => plain(id).replace('Monitoring', ''));
const ofAlarm = (alarm: string) => only(template, 'AWS::CloudWatch::Alarm', `Monitoring${alarm}`);

/** What CloudWatch received in each scenario. */
const runs = new Map<Scenario, Run>();

/** The alarms that a part raises by its silence. */
const silent = { poller: 'AgentsStale', reconciliation: 'ReconciliationSilent' } as const;

/** The alarms that CloudWatch would raise in a scenario, but for those of the schedules that do not run in it. */
const raisedBy = (scenario: Scenario): readonly string[] => {
  const run = runs.get(scenario);
  if (run === undefined) throw new Error(`This scenario did not run: ${scenario.what}`);
  const notLookedAt = keysOf(silent)
    .filter((part) => part !== scenario.scheduled)
    .map((part): string => silent[part]);
  return alarms.filter((alarm) => !notLookedAt.includes(alarm) && isRaised(ofAlarm(alarm), run)).toSorted();
};

const nears = faults.flatMap(({ alarm, near = [] }) => near.map((one) => ({ alarm, near: one })));

beforeAll(async () => {
  for (const scenario of [...faults, ...nears.map(({ near }) => near), ...healthyScenarios])
    runs.set(scenario, await scenario.cause(deployed));
}, runsTimeoutMs);

describe('the alarm', () => {
  it.each(faults)('$alarm is raised, and no other is: $what', (fault) => {
    expect(raisedBy(fault)).toEqual([fault.alarm, ...(fault.also ?? [])].toSorted());
  });

  it.each(nears)('$alarm is not raised, nor any other: $near.what', ({ near }) => {
    expect(raisedBy(near)).toEqual([...(near.also ?? [])].toSorted());
  });
});

it.each(healthyScenarios)('no alarm is raised by a healthy deployment: $what', (scenario) => {
  expect(raisedBy(scenario)).toEqual([]);
});

it('every alarm has a fault that raises it', () => {
  expect(new Set(faults.map(({ alarm }) => alarm))).toEqual(new Set(alarms));
});

describe('every metric of Callfeed', () => {
  const ofCallfeed = ({ namespace }: { readonly namespace: string }) => namespace === 'Callfeed';
  const ofAlarms = someOf(template, 'AWS::CloudWatch::Alarm').flatMap(([, alarm]) =>
    Object.values(watchedMetrics(alarm)),
  );
  const watched = new Set(ofAlarms.filter(ofCallfeed).map(({ metric }) => metric));

  it('is emitted by a scenario above and read by an alarm, and no other metric is', () => {
    const data = [...runs.values()].flatMap((run) => run.data.filter(ofCallfeed));

    expect(new Set(data.map(({ metric }) => metric))).toEqual(watched);
    expect([...watched].filter((name) => !/^([A-Z][a-z]+)+$/.test(name))).toEqual([]);
  });

  it('is on the dashboard with the other metrics of alarms', () => {
    const names = ({ namespace, metric, dimensions }: Pick<WatchedMetric, 'namespace' | 'metric' | 'dimensions'>) =>
      JSON.stringify([namespace, metric, dimensions]);

    expect(watched.size).toBeGreaterThan(10);
    for (const { dimensions } of ofAlarms.filter(ofCallfeed))
      expect(dimensions).toEqual({ deployment: deployed.deployment });
    expect(new Set(metricsOnDashboard(template).map(names))).toEqual(new Set(ofAlarms.map(names)));
  });
});

/** The most alarms by default, and of each part that is switched on: a metric under an alarm costs ten cents a month. */
const mostAlarms = { byDefault: 12, ownKey: 1, reconciliation: 2, forwarding: 3, recordings: 2, analytics: 3 };

it('there are no more alarms than each part may have', () => {
  const optional = /^(Bus|CallbacksMissing|Reconciliation|Forwarding|Recordings|Analytics)/;

  expect(alarms.filter((alarm) => !optional.test(alarm))).toHaveLength(mostAlarms.byDefault);
  expect(alarms).toHaveLength(Object.values(mostAlarms).reduce((sum, part) => sum + part));
});

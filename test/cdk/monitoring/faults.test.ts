import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { FunctionName } from '../../../functions/timeouts.ts';
import {
  agentStateMetrics,
  essentialMetrics,
  loggedMetrics,
  type MonitoringMode,
  metrics,
  unknownWordMetric,
  wordFacts,
} from '../../../lib/telemetry/metrics.ts';
import { polledAccount } from '../../fixtures/accounts.ts';
import { specificationSummary } from '../../fixtures/calls.ts';
import { keyedDelivery } from '../../support/call-records.ts';
import { type Aws, deployedFunction } from '../../support/deployed-function.ts';
import { formOf, httpApiEvent } from '../../support/http-api-event.ts';
import { kmsKeyArn, switchedOn } from '../support/configurations.ts';
import { synthesise } from '../support/synthesise.ts';
import { only, plain, someOf } from '../support/template.ts';
import { agentFaults } from './agent-faults.ts';
import { analyticsFaults } from './analytics-faults.ts';
import { callbackFaults, parkingFaults, senderFaults } from './callback-faults.ts';
import { isRaised, metricsOnDashboard, watchedMetrics } from './evaluate-alarm.ts';
import { forwardingFaults } from './forwarding-faults.ts';
import { healthyScenarios, otherScenarios } from './healthy-scenarios.ts';
import { publishingFaults } from './publishing-faults.ts';
import { reconciliationFaults } from './reconciliation-faults.ts';
import { recordingFaults } from './recording-faults.ts';
import { deployedResources, type Fault, metricDataIn, type Run, type Scenario } from './scenario.ts';

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

/** What a deployment with this monitoring emits in each scenario, and its alarms. */
const deploymentWith = (monitoring: MonitoringMode) => {
  const { template } = synthesise({ context: { monitoring, kmsKeyArn, ...switchedOn } });
  const runs = new Map<Scenario, Run>();

  return {
    template,
    runs,
    deployed: deployedResources(template),
    alarms: someOf(template, 'AWS::CloudWatch::Alarm').map(([id]) => plain(id).replace('Monitoring', '')),
    isRaised(alarm: string, scenario: Scenario): boolean {
      const run = runs.get(scenario);
      if (run === undefined) throw new Error(`This scenario did not run: ${scenario.what}`);
      return isRaised(only(template, 'AWS::CloudWatch::Alarm', `Monitoring${alarm}`), run);
    },
    async run(scenarios: readonly Scenario[]) {
      for (const scenario of scenarios) runs.set(scenario, await scenario.cause(deployedResources(template)));
    },
  };
};

/**
 * A run without the poller has neither ticks nor ages, which alone raises these alarms; and a run without reconciliation
 * reads no page.
 */
const isOfPart = (alarm: string, { what }: Scenario, alarmsWithoutPoller: readonly string[]) =>
  alarm === 'ReconciliationSilent'
    ? what.startsWith('Reconciliation')
    : !alarmsWithoutPoller.includes(alarm) || what.startsWith('Agents');

describe('with monitoring=full', () => {
  const full = deploymentWith('full');
  const { template, runs, deployed } = full;
  const nears = faults.flatMap(({ alarm, near = [] }) => near.map((one) => ({ alarm, near: one })));

  beforeAll(
    () => full.run([...faults, ...nears.map(({ near }) => near), ...healthyScenarios, ...otherScenarios]),
    runsTimeoutMs,
  );

  describe('the alarm', () => {
    it.each(faults)('$alarm is raised: $what', (fault) => {
      expect(full.isRaised(fault.alarm, fault)).toBe(true);
    });

    it.each(nears)('$alarm is not raised: $near.what', ({ alarm, near }) => {
      expect(full.isRaised(alarm, near)).toBe(false);
    });
  });

  const names = new Set(faults.map(({ alarm }) => alarm));

  describe('no alarm is raised', () => {
    it.each(healthyScenarios)('by a healthy deployment: $what', (scenario) => {
      const alarms = [...names].filter((name) => isOfPart(name, scenario, ['PollerSilent']));

      expect(alarms.filter((name) => full.isRaised(name, scenario))).toEqual([]);
    });
  });

  describe('every alarm', () => {
    it('has a fault that raises it', () => {
      expect(names).toEqual(new Set(full.alarms));
    });
  });

  describe('every metric of Callfeed', () => {
    const declared = new Set<string>([
      ...Object.keys(metrics),
      ...agentStateMetrics,
      ...wordFacts.map(unknownWordMetric),
      ...loggedMetrics,
    ]);
    const emitted = () =>
      new Set(
        [...runs.values()]
          .flatMap(({ data }) => data.filter(({ namespace }) => namespace === 'Callfeed'))
          .map(({ metric }) => metric),
      );

    it('is emitted by a scenario above, and no other metric is', () => {
      expect(emitted()).toEqual(declared);
    });

    it('in an alarm or on the dashboard is declared, and has the dimension that the functions emit', () => {
      const ofAlarms = someOf(template, 'AWS::CloudWatch::Alarm').flatMap(([, alarm]) =>
        Object.values(watchedMetrics(alarm)),
      );
      const used = [...ofAlarms, ...metricsOnDashboard(template)].filter(
        ({ namespace }) => !namespace.startsWith('AWS/'),
      );

      expect(used.length).toBeGreaterThan(20);
      for (const { namespace, metric, dimensions } of used) {
        expect([namespace, dimensions]).toEqual(['Callfeed', { deployment: deployed.deployment }]);
        expect(declared).toContain(metric);
      }
    });
  });
});

/** The most alarms of monitoring=essential, by default and of each part that is switched on: each costs ten cents a month. */
const mostAlarms = { byDefault: 10, reconciliation: 2, forwarding: 4, recordings: 2, analytics: 12 };

/** The most metrics of Callfeed that they may need: each costs thirty cents a month. */
const mostMetrics = { byDefault: 10, reconciliation: 3, forwarding: 1, recordings: 2, analytics: 1 };

const sumOf = (parts: Readonly<Record<string, number>>): number =>
  Object.values(parts).reduce((sum, part) => sum + part);

describe('with monitoring=essential', () => {
  const essential = deploymentWith('essential');
  const { template, runs, alarms } = essential;

  /** By guarantee: the alarms of `full`, each with the essential ones that the page says its faults raise. */
  const guarantees = readFileSync('docs/operations.md', 'utf8')
    .split(/^### /m)
    .map((section) => ({
      guarantee: section.slice(0, section.indexOf('\n')),
      rows: [...section.matchAll(/^\| \[(\w+)\]\([^)]*\) \| [^|]+ \| ([\w, ]+) \|$/gm)].map(
        ([, alarm = '', raised = '']) => ({
          alarm,
          raised: raised === 'yes' ? [alarm] : raised === 'no' ? [] : raised.split(', '),
        }),
      ),
    }))
    .filter(({ rows }) => rows.length > 0);
  const raisedFor = new Map(
    guarantees.flatMap(({ rows }) => rows.map(({ alarm, raised }) => [alarm, raised] as const)),
  );

  beforeAll(() => essential.run([...faults, ...healthyScenarios]), runsTimeoutMs);

  it('there are no more alarms and metrics of Callfeed than each part may have, and an alarm reads each metric', () => {
    const watched = someOf(template, 'AWS::CloudWatch::Alarm')
      .flatMap(([, alarm]) => Object.values(watchedMetrics(alarm)))
      .filter(({ namespace }) => namespace === 'Callfeed');
    const data = [...runs.values()].flatMap((run) => run.data).filter(({ namespace }) => namespace === 'Callfeed');
    const emitted = new Set(data.map(({ metric }) => metric));

    expect(alarms.length).toBeLessThanOrEqual(sumOf(mostAlarms));
    expect(emitted.size).toBeLessThanOrEqual(sumOf(mostMetrics));
    expect(emitted).toEqual(new Set(watched.map(({ metric }) => metric)));
    expect(emitted).toEqual(new Set([...essentialMetrics, ...loggedMetrics]));
  });

  it.each(faults)('the alarm that docs/operations.md names for $alarm is raised: $what', (fault) => {
    const raised = alarms.filter(
      (alarm) => (alarm !== 'AgentsStale' || agentFaults.includes(fault)) && essential.isRaised(alarm, fault),
    );
    const expected = raisedFor.get(fault.alarm);

    expect(expected).toBeDefined();
    if (expected?.length === 0) expect(raised).toEqual([]);
    else expect(expected?.some((alarm) => raised.includes(alarm))).toBe(true);
  });

  it.each(guarantees)('an alarm is raised by a fault that concerns: $guarantee', ({ rows }) => {
    const concerned = faults.filter(({ alarm }) => rows.some((row) => row.alarm === alarm));

    expect(concerned.some((fault) => alarms.some((alarm) => essential.isRaised(alarm, fault)))).toBe(true);
  });

  it.each(healthyScenarios)('no alarm is raised by a healthy deployment: $what', (scenario) => {
    const concerned = alarms.filter((alarm) => isOfPart(alarm, scenario, ['AgentsStale']));

    expect(concerned.filter((alarm) => essential.isRaised(alarm, scenario))).toEqual([]);
  });
});

describe('deployed', () => {
  const { template } = synthesise({ context: { monitoring: 'full', reconciliation: 'hourly' } });

  /** DynamoDB that is empty and accepts every write. No other service responds. */
  const dynamodb: Aws = (operation) => (['PutItem', 'Query'].includes(operation) ? {} : undefined);

  const parked = JSON.stringify({ kind: 'delivery', ...keyedDelivery(specificationSummary) });
  const tick = () => ({ messageId: '1', body: 'tick', attributes: { SentTimestamp: String(Date.now()) } });
  const row = { kind: { S: 'call' } };
  const start = JSON.stringify({ kind: 'start', account: 'unreachable', run: '1', days: ['2026-11-20'] });

  /** By function: an event, made when it is needed as an old tick is skipped, and the metric that it emits. */
  const functions: readonly (readonly [FunctionName, id: string, event: () => unknown, metric: string])[] = [
    [
      'receive-callback',
      'ReceiveCallback',
      () => httpApiEvent({ body: formOf({ ...specificationSummary, Apikey: 'stranger' }) }),
      'CallbacksRejected',
    ],
    [
      'recover-callbacks',
      'RecoverCallbacks',
      () => ({ Records: [{ messageId: '1', body: parked }] }),
      'ParkedRecovered',
    ],
    [
      'publish-changes',
      'PublishChanges',
      () => ({ Records: [{ dynamodb: { SequenceNumber: '1', NewImage: row } }] }),
      'RowsSkipped',
    ],
    ['poll-agents', 'PollAgents', () => ({ Records: [tick()] }), 'TicksHandled'],
    [
      'reconcile-calls',
      'ReconcileCalls',
      () => ({ Records: [{ messageId: '1', body: start }] }),
      'ReportRequestsFailed',
    ],
  ];

  /** An account that is not polled, and one whose service does not answer. */
  const CALLFEED_ACCOUNTS = JSON.stringify([
    { userName: 'demo', apiKeys: ['demo-key'], timeZone: 'UTC' },
    { ...polledAccount, userName: 'unreachable', apiKeys: ['other-key'], baseUrl: 'http://127.0.0.1:1' },
  ]);

  it.each(functions)('%s emits metrics with the dimension that alarms use', async (name, id, event, metric) => {
    const { DEPLOYMENT } = only(template, 'AWS::Lambda::Function', id)['Environment'].Variables;
    const { invoke, output } = await deployedFunction(name, dynamodb, { DEPLOYMENT, CALLFEED_ACCOUNTS });
    await invoke(event());

    const lines = output().split('\n').filter(Boolean);
    const emitted = lines.flatMap((line) => metricDataIn(line, 0)).filter((datum) => datum.metric === metric);
    const alarm = only(template, 'AWS::CloudWatch::Alarm', 'MonitoringEveryCallbackRejected');
    const [{ namespace, dimensions } = { namespace: '', dimensions: {} }] = Object.values(watchedMetrics(alarm));
    expect(emitted).toEqual([{ at: 0, namespace, dimensions, metric, values: [1] }]);
  });
});

import { beforeAll, describe, expect, it } from 'vitest';
import type { FunctionName } from '../../../functions/timeouts.ts';
import { agentStateMetrics, loggedMetrics, metrics } from '../../../lib/telemetry/metrics.ts';
import { polledAccount } from '../../fixtures/accounts.ts';
import { specificationSummary } from '../../fixtures/calls.ts';
import { keyedDelivery } from '../../support/call-records.ts';
import { type Aws, deployedFunction } from '../../support/deployed-function.ts';
import { formOf, httpApiEvent } from '../../support/http-api-event.ts';
import { synthesise } from '../support/synthesise.ts';
import { only, plain, someOf } from '../support/template.ts';
import { agentFaults } from './agent-faults.ts';
import { callbackFaults, parkingFaults, senderFaults } from './callback-faults.ts';
import { isRaised, metricsOnDashboard, watchedMetrics } from './evaluate-alarm.ts';
import { healthyScenarios, otherScenarios } from './healthy-scenarios.ts';
import { publishingFaults } from './publishing-faults.ts';
import { reconciliationFaults } from './reconciliation-faults.ts';
import { deployedResources, type Fault, metricDataIn, type Run, type Scenario } from './scenario.ts';

/** With all alarms. */
const { template } = synthesise({ context: { reconciliation: 'hourly' } });

describe('faults', () => {
  const deployed = deployedResources(template);
  const faults: readonly Fault[] = [
    ...callbackFaults,
    ...senderFaults,
    ...parkingFaults,
    ...publishingFaults,
    ...agentFaults,
    ...reconciliationFaults,
  ];
  const nears = faults.flatMap(({ alarm, near = [] }) => near.map((one) => ({ alarm, near: one })));
  const alarmOf = (name: string) => only(template, 'AWS::CloudWatch::Alarm', `Monitoring${name}`);

  const runs = new Map<Scenario, Run>();
  const runOf = (scenario: Scenario): Run => {
    const run = runs.get(scenario);
    if (run === undefined) throw new Error(`This scenario did not run: ${scenario.what}`);

    return run;
  };

  beforeAll(async () => {
    const all = [...faults, ...nears.map(({ near }) => near), ...healthyScenarios, ...otherScenarios];
    for (const scenario of all) runs.set(scenario, await scenario.cause(deployed));
  });

  describe('the alarm', () => {
    it.each(faults)('$alarm is raised: $what', (fault) => {
      expect(isRaised(alarmOf(fault.alarm), runOf(fault))).toBe(true);
    });

    it.each(nears)('$alarm is not raised: $near.what', ({ alarm, near }) => {
      expect(isRaised(alarmOf(alarm), runOf(near))).toBe(false);
    });
  });

  const names = new Set(faults.map(({ alarm }) => alarm));

  describe('no alarm is raised', () => {
    /** A run without the poller has no ticks, which alone raises PollerSilent; and one without reconciliation no pages. */
    const parts = new Map([
      ['PollerSilent', 'Agents'],
      ['ReconciliationSilent', 'Reconciliation'],
    ]);
    const isOfPart = (alarm: string, what: string) => what.startsWith(parts.get(alarm) ?? '');

    it.each(healthyScenarios)('by a healthy deployment: $what', (scenario) => {
      const raised = [...names].filter(
        (name) => isOfPart(name, scenario.what) && isRaised(alarmOf(name), runOf(scenario)),
      );

      expect(raised).toEqual([]);
    });
  });

  describe('every alarm', () => {
    /** Raised below, by the deployed functions. */
    const crashes = ['ReceiverCrashes', 'RecoveryCrashes', 'PublisherCrashes', 'PollerCrashes'];

    it('has a fault that raises it', () => {
      const alarms = someOf(template, 'AWS::CloudWatch::Alarm').map(([id]) => plain(id).replace('Monitoring', ''));

      expect(new Set([...names, ...crashes])).toEqual(new Set(alarms));
    });
  });

  describe('every metric of Callfeed', () => {
    const declared = new Set<string>([...Object.keys(metrics), ...agentStateMetrics, ...loggedMetrics]);
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

describe('deployed', () => {
  const alarmNamed = (name: string) => only(template, 'AWS::CloudWatch::Alarm', `Monitoring${name}`);

  /** DynamoDB that is empty and accepts every write. No other service responds. */
  const dynamodb: Aws = (operation) => (['PutItem', 'Query'].includes(operation) ? {} : undefined);

  const parked = JSON.stringify({ kind: 'delivery', ...keyedDelivery(specificationSummary) });
  const tick = { messageId: '1', body: 'tick', attributes: { SentTimestamp: String(Date.now()) } };
  const row = { kind: { S: 'call' } };
  const start = JSON.stringify({ kind: 'start', account: 'unreachable', run: '1', days: ['2026-11-20'] });

  /** By function: an event, the metric that it emits, a required environment variable, and the alarm for crashes, if any. */
  const functions: readonly (readonly [FunctionName, string, unknown, string, string, string | undefined])[] = [
    [
      'receive-callback',
      'ReceiveCallback',
      httpApiEvent({ body: formOf({ ...specificationSummary, Apikey: 'stranger' }) }),
      'CallbacksRejected',
      'CALLS_TABLE',
      'ReceiverCrashes',
    ],
    [
      'recover-callbacks',
      'RecoverCallbacks',
      { Records: [{ messageId: '1', body: parked }] },
      'ParkedRecovered',
      'CALLS_TABLE',
      'RecoveryCrashes',
    ],
    [
      'publish-changes',
      'PublishChanges',
      { Records: [{ dynamodb: { SequenceNumber: '1', NewImage: row } }] },
      'RowsSkipped',
      'BUS_NAME',
      'PublisherCrashes',
    ],
    ['poll-agents', 'PollAgents', { Records: [tick] }, 'TicksHandled', 'AGENTS_TABLE', 'PollerCrashes'],
    [
      'reconcile-calls',
      'ReconcileCalls',
      { Records: [{ messageId: '1', body: start }] },
      'ReportRequestsFailed',
      'CALLS_TABLE',
      undefined,
    ],
  ];

  /** An account that is not polled, and one whose service does not answer. */
  const CALLFEED_ACCOUNTS = JSON.stringify([
    { userName: 'demo', apiKeys: ['demo-key'], timeZone: 'UTC' },
    { ...polledAccount, userName: 'unreachable', apiKeys: ['other-key'], baseUrl: 'http://127.0.0.1:1' },
  ]);

  describe.each(functions)('%s, as deployed', (name, id, event, metric, needed, alarm) => {
    const { DEPLOYMENT } = only(template, 'AWS::Lambda::Function', id)['Environment'].Variables;

    it(`emits ${metric} in the namespace and with the dimension that alarms use`, async () => {
      const { invoke, output } = await deployedFunction(name, dynamodb, { DEPLOYMENT, CALLFEED_ACCOUNTS });
      await invoke(structuredClone(event));

      const lines = output()
        .split('\n')
        .filter((line) => line !== '');
      const emitted = lines.flatMap((line) => metricDataIn(line, 0)).filter((datum) => datum.metric === metric);
      const { '': _none, ...watched } = watchedMetrics(alarmNamed('EveryCallbackRejected'));
      const [{ namespace, dimensions } = { namespace: '', dimensions: {} }] = Object.values(watched);
      expect(emitted).toEqual([{ at: 0, namespace, dimensions, metric, values: [1] }]);
    });

    /** The Errors that Lambda counts for a run or a failed start. */
    const errorsOf = async (environment: Readonly<Record<string, string | undefined>>) => {
      const failed = await deployedFunction(name, dynamodb, { DEPLOYMENT, CALLFEED_ACCOUNTS, ...environment })
        .then(({ invoke }) => invoke(structuredClone(event)))
        .then(
          () => 0,
          () => 1,
        );
      const dimensions = { FunctionName: `${id}ServiceFunction.Ref` };
      return {
        from: 0,
        to: 0,
        data: [{ at: 0, namespace: 'AWS/Lambda', metric: 'Errors', dimensions, values: [failed] }],
      };
    };

    if (alarm === undefined) return;

    it(`raises ${alarm} without ${needed}`, async () => {
      expect(isRaised(alarmNamed(alarm), await errorsOf({ [needed]: undefined }))).toBe(true);
    });

    it(`does not raise ${alarm} with a complete environment`, async () => {
      expect(isRaised(alarmNamed(alarm), await errorsOf({}))).toBe(false);
    });
  });
});

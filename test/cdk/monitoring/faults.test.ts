import { beforeAll, describe, expect, it } from 'vitest';
import { agentStateMetrics, loggedMetrics, metrics } from '../../../lib/metrics.ts';
import { only, plain, someOf } from '../resources.ts';
import { synthesise } from '../synthesise.ts';
import { agentFaults } from './agent-faults.ts';
import { callbackFaults } from './callback-faults.ts';
import type { Run } from './datum.ts';
import { deployedBy, type Fault, type Happening } from './fault.ts';
import { isRaised } from './is-raised.ts';
import { moreAgentFaults } from './more-agent-faults.ts';
import { metricsOnDashboard } from './on-dashboard.ts';
import { ordinary, others } from './ordinary.ts';
import { parkingFaults } from './parking-faults.ts';
import { publishingFaults } from './publishing-faults.ts';
import { moreSenderFaults, senderFaults } from './sender-faults.ts';
import { watchedBy } from './series.ts';

const { template } = synthesise();
const deployed = deployedBy(template);
const faults: readonly Fault[] = [
  ...callbackFaults,
  ...senderFaults,
  ...parkingFaults,
  ...publishingFaults,
  ...agentFaults,
];
const moreFaults = [...moreSenderFaults, ...moreAgentFaults];
const nears = faults.flatMap(({ alarm, near }) => near.map((one) => ({ alarm, near: one })));
const alarmOf = (name: string) => only(template, 'AWS::CloudWatch::Alarm', `Monitoring${name}`);

const runs = new Map<Happening, Run>();
const runOf = (happening: Happening): Run => {
  const run = runs.get(happening);
  if (run === undefined) throw new Error(`Did not happen: ${happening.what}`);

  return run;
};

beforeAll(async () => {
  const all = [...faults, ...nears.map(({ near }) => near), ...moreFaults, ...ordinary, ...others];
  for (const happening of all) runs.set(happening, await happening.cause(deployed));
});

describe('the alarm', () => {
  it.each(faults)('$alarm is raised: $what', (fault) => {
    expect(isRaised(alarmOf(fault.alarm), runOf(fault))).toBe(true);
  });

  it.each(moreFaults)('$alarm is raised as well: $what', (fault) => {
    expect(isRaised(alarmOf(fault.alarm), runOf(fault))).toBe(true);
  });

  it.each(nears)('$alarm is not raised: $near.what', ({ alarm, near }) => {
    expect(isRaised(alarmOf(alarm), runOf(near))).toBe(false);
  });
});

describe('no alarm is raised', () => {
  const names = faults.map(({ alarm }) => alarm);
  /** Each of a part of the deployment: of the other parts there is no news in a run, which for some is bad news. */
  const isOfPart = (alarm: string, what: string) => alarm !== 'PollerSilent' || what.startsWith('Agents');

  it.each(ordinary)('while all is well: $what', (happening) => {
    const raised = names.filter((name) => isOfPart(name, happening.what) && isRaised(alarmOf(name), runOf(happening)));

    expect(raised).toEqual([]);
  });
});

describe('every alarm', () => {
  /** Shown in deployed.test.ts. */
  const crashes = ['ReceiverCrashes', 'RecoveryCrashes', 'PublisherCrashes', 'PollerCrashes'];

  it('has a fault that raises it', () => {
    const alarms = someOf(template, 'AWS::CloudWatch::Alarm').map(([id]) => plain(id).replace('Monitoring', ''));

    expect([...faults.map(({ alarm }) => alarm), ...crashes].toSorted()).toEqual(alarms.toSorted());
  });
});

describe('every metric of ours', () => {
  const declared = new Set<string>([...Object.keys(metrics), ...agentStateMetrics, ...loggedMetrics]);
  const emitted = () =>
    new Set(
      [...runs.values()]
        .flatMap(({ data }) => data.filter(({ namespace }) => namespace === 'Callfeed'))
        .map(({ metric }) => metric),
    );

  it('is emitted by what happened above, or counted in its log, and none is that is not declared', () => {
    expect(emitted()).toEqual(declared);
  });

  it('that an alarm or the dashboard looks at is one of these, with the dimension that the functions emit', () => {
    const ofAlarms = someOf(template, 'AWS::CloudWatch::Alarm').flatMap(([, alarm]) => Object.values(watchedBy(alarm)));
    const looked = [...ofAlarms, ...metricsOnDashboard(template)].filter(
      ({ namespace }) => !namespace.startsWith('AWS/'),
    );

    expect(looked.length).toBeGreaterThan(20);
    for (const { namespace, metric, dimensions } of looked) {
      expect([namespace, dimensions]).toEqual(['Callfeed', { deployment: deployed.deployment }]);
      expect(declared).toContain(metric);
    }
  });
});

import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { anchorOf } from '../../../docs/contract/markdown.ts';
import { keysOf } from '../../../lib/core/collections.ts';
import { kmsKeyArn, switchedOn } from '../support/configurations.ts';
import { nameOf, plain, someOf, synthesise } from '../support/template.ts';
import { timesRaised } from './evaluate-alarm.ts';
import { deployedResources, type Run, type Scenario } from './scenario.ts';
import { scenarios } from './scenario-table.ts';
import { watchedMetrics } from './watched-metrics.ts';

const runbookUrl = 'https://wiki.example.com/callfeed';
const context = { ...switchedOn, kmsKeyArn, dashboard: 'on', alarmEmail: 'ops@example.com' };
const { template } = synthesise({ context: { ...context, runbookUrl } });
const deployed = deployedResources(template);
const alarmsOf = (of: typeof template) =>
  someOf(of, 'AWS::CloudWatch::Alarm').map(([id, alarm]) => [plain(id).replace('Monitoring', ''), alarm] as const);
const alarms = alarmsOf(template);
const names = alarms.map(([name]) => name);

/** What CloudWatch received in each scenario. */
const runs = new Map<Scenario, Run>();

/** The alarms that a part raises by its silence. */
const silent = { poller: 'AgentsStale', reconciliation: 'ReconciliationSilent' } as const;

/** The alarms that CloudWatch would raise in a scenario, without the alarms of schedules that do not run in it. */
const raisedBy = (scenario: Scenario): readonly string[] => {
  const run = runs.get(scenario);
  if (run === undefined) throw new Error(`This scenario did not run: ${scenario.what}`);
  const notLookedAt = keysOf(silent)
    .filter((part) => part !== scenario.scheduled)
    .map((part): string => silent[part]);
  return alarms.flatMap(([name, alarm]) =>
    !notLookedAt.includes(name) && timesRaised(alarm, run).length > 0 ? [name] : [],
  );
};

// On a busy machine it takes longer than the limit of a hook.
beforeAll(async () => {
  for (const scenario of scenarios) runs.set(scenario, await scenario.cause(deployed));
}, 300_000);

// A title would cut a sentence that is a member of an object.
it.each(scenarios.map((scenario) => [scenario.what, scenario] as const))(
  'raises its alarms alone: %s',
  (_what, scenario) => {
    expect(raisedBy(scenario).toSorted()).toEqual(scenario.raises.toSorted());
  },
);

/**
 * The minute of the first scenario of an alarm in which it begins, and for how many minutes it stays, up to the scenario’s end.
 * An alarm that comes late, or ends though nobody has acted, is as bad as none. Here it begins at the end of a period;
 * CloudWatch does not wait for that where the sum so far is enough.
 */
const begins: Readonly<Record<string, string>> = {
  CallbacksFail: '5 for 5',
  CallbacksThrottled: '5 for 5',
  AccountRejected: '60 for 60',
  CallsNotRecorded: '60 for 60',
  ParkedOverdue: '30 for 20',
  ParkedDeadLettered: '1445 for 60',
  EventsLate: '10 for 5',
  EventsMissing: '30 for 1380',
  CallEventsFailed: '2520 for 1440',
  AgentEventsFailed: '2520 for 1440',
  BusDeadLettered: '5 for 10',
  AgentsStale: '5 for 2',
  CallbacksSilent: '7 for 9',
  CallbacksMissing: '223 for 180',
  ReconciliationSilent: '223 for 540',
  ForwardingFails: '60 for 45',
  ForwardingDeadLettered: '1480 for 85',
  ForwardingLate: '30 for 30',
  ForwardingStopped: '45 for 60',
  RecordingsFail: '60 for 120',
  RecordingsLate: '30 for 45',
  RecordingsStopped: '30 for 45',
  RecordingsGivenUp: '5 for 30',
  AnalyticsUndelivered: '5 for 5',
  AnalyticsCallRevisionsNotMade: '5 for 5',
  AnalyticsAgentChangesNotMade: '5 for 5',
};

it('every alarm begins in its minute, and stays', () => {
  const seen = alarms.map(([name, alarm]) => {
    const scenario = scenarios.find(({ raises }) => raises.includes(name)) ?? expect.unreachable();
    const run = runs.get(scenario) ?? expect.unreachable();
    const { from = 0, to = 0 } = timesRaised(alarm, run)[0] ?? {};
    return [name, `${Math.ceil((from - run.from) / 60_000)} for ${(to - from) / 60_000}`];
  });
  expect(Object.fromEntries(seen), 'the minute in which it begins, and for how many minutes it stays').toEqual(begins);
});

it('no alarm keeps its state while there is no data, and none counts some of its periods only', () => {
  const others = alarms.flatMap(([name, { TreatMissingData, DatapointsToAlarm }]) => [
    ...(['breaching', 'notBreaching'].includes(TreatMissingData)
      ? []
      : [`${name} treats missing data as ${TreatMissingData}`]),
    ...(DatapointsToAlarm === undefined ? [] : [`${name} needs ${DatapointsToAlarm} of its periods`]),
  ]);
  expect(
    others,
    'Without data such an alarm stays raised after the failure, and evaluate-alarm.ts knows neither',
  ).toEqual([]);
});

it('every alarm has a scenario that raises it', () => {
  expect(new Set(scenarios.flatMap(({ raises }) => raises))).toEqual(new Set(names));
});

/** The most alarms by default, and of each part that is switched on: a metric under an alarm costs ten cents a month. */
const mostAlarms = { byDefault: 12, ownKey: 1, reconciliation: 2, forwarding: 4, recordings: 4, analytics: 3 };

it('there are no more alarms than each part may have', () => {
  const optional = /^(Bus|CallbacksMissing|Reconciliation|Forwarding|Recordings|Analytics)/;

  expect(names.filter((name) => !optional.test(name))).toHaveLength(mostAlarms.byDefault);
  expect(names).toHaveLength(Object.values(mostAlarms).reduce((sum, part) => sum + part));
});

const ofCallfeed = ({ namespace }: { readonly namespace: string }) => namespace === 'Callfeed';
const watched = alarms.flatMap(([, alarm]) => Object.values(watchedMetrics(alarm)));
const metrics = new Set(watched.filter(ofCallfeed).map(({ metric }) => metric));

it('every metric of Callfeed is emitted by a scenario above and read by an alarm, and no other is', () => {
  const data = [...runs.values()].flatMap((run) => run.data.filter(ofCallfeed));

  expect(new Set(data.map(({ metric }) => metric))).toEqual(metrics);
  expect([...metrics].filter((name) => !/^([A-Z][a-z]+)+$/.test(name))).toEqual([]);
});

/** The second-level sections of a text: each heading, its anchor, and the bold words that begin its parts. */
const sectionsIn = (markdown: string) =>
  markdown
    .replace(/^```[\s\S]*?^```$/gm, '')
    .split(/^(?=##? )/m)
    .filter((part) => part.startsWith('## '))
    .map((part) => {
      const [heading = ''] = part.slice(3).split('\n');
      const parts = [...part.matchAll(/^\*\*(\w+)\.\*\*/gm)].map(([, bold]) => bold ?? '');
      return { heading, anchor: anchorOf(heading), parts };
    });

const runbook = readFileSync('docs/runbook.md', 'utf8');
const [ofAlarms = ''] = runbook.split(/^# Keys and secrets$/m);
const sections = sectionsIn(ofAlarms);
const sectionOf = ([, { AlarmDescription }]: (typeof alarms)[number]) =>
  AlarmDescription.split('\n')[2].replace(runbookUrl, '');
const queries = someOf(template, 'AWS::Logs::QueryDefinition');
const titles = queries.map(([, { Name }]) => nameOf(Name).split('/').at(-1) ?? '');

describe('alarms', () => {
  it.each(alarms)(
    '%s says who is hurt, the first command and its section of the runbook, and notifies the topic of its beginning and end',
    (_name, alarm) => {
      const [impact, first, section, ...others] = alarm['AlarmDescription'].split('\n');
      const [, command = 'none'] = /^First: (npx callfeed .+) --stack callfeed-prod$/.exec(first) ?? [];

      expect(impact).toMatch(/^[A-Z].{30,}\.$/);
      expect(sections.map(({ anchor }) => `${runbookUrl}${anchor}`)).toContain(section);
      expect(others).toEqual([]);
      expect(alarm['AlarmDescription'].length).toBeLessThanOrEqual(1_024);
      expect(alarm['AlarmActions'].map(nameOf)).toEqual(['MonitoringTopic.Ref']);
      expect(alarm['OKActions'].map(nameOf)).toEqual(['MonitoringTopic.Ref']);
      expect(alarm).not.toHaveProperty('AlarmName');
      expect(runbook).toContain(command);
    },
  );

  it('link to no runbook where runbookUrl is not set', () => {
    const texts = alarmsOf(synthesise({ context }).template).map(([, { AlarmDescription }]) => AlarmDescription);

    expect(texts).toEqual(alarms.map(([, alarm]) => alarm['AlarmDescription'].split('\n').slice(0, 2).join('\n')));
  });

  it('go to the address of alarmEmail', () => {
    const [[, subscription] = []] = someOf(template, 'AWS::SNS::Subscription');

    expect(subscription).toMatchObject({ Protocol: 'email', Endpoint: 'ops@example.com' });
    expect(nameOf(subscription?.['TopicArn'])).toBe('MonitoringTopic.Ref');
  });

  it.each(queries)('have the saved query %s under the name of the deployment', (_id, { Name }) => {
    expect(nameOf(Name)).toMatch(/^callfeed-prod-Callfeed\/[A-Z]/);
  });
});

describe('the page on operations', () => {
  const page = readFileSync('docs/operations.md', 'utf8');

  it.each([
    [
      'every alarm with the link to its section',
      /^\| \[(\w+)\]\(runbook\.md(#[a-z-]+)\) \|/gm,
      alarms.map((alarm) => [alarm[0], sectionOf(alarm)]),
    ],
    [
      'every metric with its unit',
      /^\| `(\w+)` \| (Count|Seconds) \|/gm,
      [...metrics].map((name) => [name, name.endsWith('Seconds') ? 'Seconds' : 'Count']),
    ],
    ['the saved queries by their titles', /^- \*([A-Z][^*]+)\*:/gm, titles.map((title) => [title])],
  ])('lists %s', (_what, row, expected) => {
    const listed = [...page.matchAll(row)].map(([, ...columns]) => columns);

    expect(listed.toSorted()).toEqual(expected.toSorted());
  });
});

it('the page on evaluating has hours for every alarm, with the link to its section, and for no other', () => {
  const page = readFileSync('docs/evaluating.md', 'utf8');
  const listed = [...page.matchAll(/\[(\w+)\]\(runbook\.md(#[a-z-]+)\)/g)].map(([, ...columns]) => columns);

  expect(listed.filter(([name]) => /^[A-Z]/.test(name ?? '')).toSorted()).toEqual(
    alarms.map((alarm) => [alarm[0], sectionOf(alarm)]).toSorted(),
  );
});

describe('the runbook', () => {
  it('has a section for each alarm, and no other', () => {
    expect(new Set(sections.map(({ anchor }) => anchor))).toEqual(new Set(alarms.map(sectionOf)));
  });

  it.each(sections)('has an investigation and a resolution under “$heading”', ({ parts }) => {
    expect(parts).toEqual(['Investigation', 'Resolution']);
  });

  it('uses only outputs that the stack has', () => {
    const outputs = [...runbook.matchAll(/\$\(output (\w+)\)/g)].map(([, name]) => name ?? '');

    expect(outputs.length).toBeGreaterThan(3);
    expect(Object.keys(template.findOutputs('*'))).toEqual(expect.arrayContaining([...new Set(outputs)]));
  });

  it('names saved queries by their titles', () => {
    // A single word in italics may be a metric of AWS.
    const named = [...runbook.replaceAll('**', '').matchAll(/(?<!\*)\*([A-Z][^*`]+ [^*`]+)\*/g)].map(
      ([, name]) => name ?? '',
    );

    expect(named.length).toBeGreaterThan(5);
    for (const name of named)
      expect(titles.filter((title) => title.startsWith(name.replaceAll('\n', ' ')))).toHaveLength(1);
  });
});

import { readFileSync } from 'node:fs';
import { Stack } from 'aws-cdk-lib';
import type { Template } from 'aws-cdk-lib/assertions';
import { Metric } from 'aws-cdk-lib/aws-cloudwatch';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { describe, expect, it } from 'vitest';
import { type AlarmSpec, alarm } from '../../../cdk/monitoring/alarm.ts';
import { essentialMetrics, loggedMetrics, metrics } from '../../../lib/telemetry/metrics.ts';
import { kmsKeyArn, switchedOn } from '../support/configurations.ts';
import { appFor, synthesise } from '../support/synthesise.ts';
import { nameOf, plain, someOf } from '../support/template.ts';
import { metricsOnDashboard, watchedMetrics } from './evaluate-alarm.ts';

/** https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#section-links */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const withoutCode = (markdown: string): string => markdown.replace(/^```[\s\S]*?^```$/gm, '');

/** The anchors of all headings in a text. */
const anchorsIn = (markdown: string): readonly string[] =>
  [...withoutCode(markdown).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading));

/** The second-level sections of a text: each heading, its anchor, and the bold words that begin its parts. */
const sectionsIn = (markdown: string) =>
  withoutCode(markdown)
    .split(/^(?=##? )/m)
    .filter((part) => part.startsWith('## '))
    .map((part) => {
      const [heading = ''] = part.slice(3).split('\n');
      const parts = [...part.matchAll(/^(?:\*\*(\w+)\.\*\*|### (\w+)$)/gm)].map(
        ([, bold, third]) => bold ?? third ?? '',
      );
      return { heading, anchor: anchorOf(heading), parts };
    });

describe('alarms', () => {
  const runbook = readFileSync('docs/runbook.md', 'utf8');
  const [ofAlarms = ''] = runbook.split(/^# Keys and secrets$/m);
  const sections = sectionsIn(ofAlarms);

  const alarmsOf = (of: Template) =>
    someOf(of, 'AWS::CloudWatch::Alarm').map(([id, alarm]) => [plain(id), alarm] as const);
  const { template } = synthesise({
    context: {
      monitoring: 'full',
      ...switchedOn,
      kmsKeyArn,
    },
  });
  const full = alarmsOf(template);
  const { template: essentialTemplate } = synthesise({
    context: {
      ...switchedOn,
      kmsKeyArn,
    },
  });
  const essential = alarmsOf(essentialTemplate);
  const alarms = [...full, ...essential];
  const titles: readonly string[] = [
    ...someOf(template, 'AWS::Logs::QueryDefinition').map(([, { Name }]) => nameOf(Name).split('/').at(-1) ?? ''),
    ...someOf(template, 'AWS::CloudWatch::Dashboard').flatMap(([, { DashboardBody }]) =>
      JSON.parse(nameOf(DashboardBody)).widgets.map(({ properties }: Titled) => properties.title),
    ),
  ];
  const sectionOf = (description: string) => /#([a-z0-9-]+)$/.exec(description)?.[1] ?? 'none';

  describe('the alarm', () => {
    it.each(alarms)(
      '%s describes its impact in sentences, and names its runbook section',
      (_id, { AlarmDescription }) => {
        expect(AlarmDescription).toMatch(
          /^[A-Z][^#]{30,}\. What to do: https:\/\/\S+\/v\d\S*\/docs\/runbook\.md#[a-z0-9-]+$/,
        );
        expect(AlarmDescription.length).toBeLessThanOrEqual(1_024);
      },
    );

    it.each(alarms)(
      '%s notifies the topic when it is raised and when it is over',
      (_id, { AlarmActions, OKActions }) => {
        expect(AlarmActions.map(nameOf)).toEqual(['MonitoringTopic.Ref']);
        expect(OKActions.map(nameOf)).toEqual(['MonitoringTopic.Ref']);
      },
    );

    it.each(alarms)('%s is named by CloudFormation, and treats missing data explicitly', (_id, alarm) => {
      expect(alarm).not.toHaveProperty('AlarmName');
      expect(['breaching', 'notBreaching']).toContain(alarm['TreatMissingData']);
      expect(alarm).not.toHaveProperty('DatapointsToAlarm');
    });
  });

  describe('the page on operations', () => {
    const page = readFileSync('docs/operations.md', 'utf8');

    const [, ofEssential = '', ...ofFull] = page.split(/^### /m);

    it.each([
      ['full', ofFull.join('\n'), full],
      ['essential', ofEssential, essential],
    ])('lists every alarm of monitoring=%s with the link to its section', (_monitoring, section, deployed) => {
      const listed = [...section.matchAll(/^\| \[(\w+)\]\(runbook\.md#([a-z-]+)\) \|/gm)].map(([, ...alarm]) => alarm);
      const expected = deployed.map(([id, { AlarmDescription }]) => [
        id.replace('Monitoring', ''),
        sectionOf(AlarmDescription),
      ]);

      expect(listed.toSorted()).toEqual(expected.toSorted());
    });

    it('names how many alarms there are by default', () => {
      const optional = /BusDeadLettered|CallbacksMissing|ReconciliationSilent|Forwarding|Recordings|Analytics/;

      expect(essential.filter(([id]) => !optional.test(id))).toHaveLength(9);
      expect(page).toContain('`essential`, the default, has nine,');
    });

    it('lists every metric with its unit', () => {
      const listed = [...page.matchAll(/^\| (?:\*\*)?`(\w+)`(?:\*\*)? \| (Count|Seconds) \|/gm)].map(
        ([, ...metric]) => metric,
      );
      const declared = [...Object.entries(metrics), ...loggedMetrics.map((name) => [name, 'Count'])];

      expect(listed.toSorted()).toEqual(declared.toSorted());
    });

    it('marks the metrics of monitoring=essential', () => {
      const marked = [...page.matchAll(/^\| \*\*`(\w+)`\*\*/gm)].map(([, name]) => name);

      expect(marked.toSorted()).toEqual([...essentialMetrics, ...loggedMetrics].toSorted());
    });

    it('lists the graphs of the dashboard and the saved queries by their titles', () => {
      const listed = [...page.matchAll(/\*([A-Z][^*]+)\*/g)].map(([, title = '']) => title.replaceAll('\n', ' '));

      expect(listed.toSorted()).toEqual(titles.toSorted());
    });
  });

  describe('the runbook', () => {
    it('has a section for each alarm, and no other', () => {
      const named = new Set(alarms.map(([, { AlarmDescription }]) => sectionOf(AlarmDescription)));

      expect([...named].toSorted()).toEqual(sections.map(({ anchor }) => anchor).toSorted());
    });

    it.each(alarms)('has %s in its index, with the link to the section', (id, { AlarmDescription }) => {
      const [index = ''] = runbook.split('# After an outage');
      const row = index
        .split('\n')
        .find((line) => new RegExp(`^\\| [^|]*\\b${id.replace('Monitoring', '')}\\b`).test(line));

      expect(row).toMatch(new RegExp(`\\(#${sectionOf(AlarmDescription)}\\)`));
    });

    it.each(sections)('has a description, an investigation and a resolution under “$heading”', ({ parts }) => {
      expect(parts).toEqual(['Description', 'Investigation', 'Resolution']);
    });

    it('has no broken link within itself', () => {
      const links = [...runbook.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor);

      expect(links.length).toBeGreaterThan(5);
      expect(links.filter((anchor) => !anchorsIn(runbook).includes(anchor ?? ''))).toEqual([]);
    });

    it('names no metric, and no graph, whose sums are not in the query “What was counted” of monitoring=essential', () => {
      const queries = someOf(essentialTemplate, 'AWS::Logs::QueryDefinition').map(([, query]) => query);
      const counted = queries.find(({ Name }) => nameOf(Name).endsWith('/What was counted'))?.['QueryString'];
      const named = [...runbook.matchAll(/`([A-Z]\w+)`/g)].flatMap(([, name = '']) => (name in metrics ? [name] : []));

      expect(named.length).toBeGreaterThan(8);
      for (const name of [...named, 'ReportRequestsFailed', 'RecordsWithUnknownWords', 'CallbackRecordsParked'])
        expect(counted).toContain(`sum(${name})`);
    });

    it('uses only outputs that the stack has', () => {
      const outputs = [...runbook.matchAll(/\$\(output (\w+)\)/g)].map(([, name]) => name ?? '');

      expect(outputs.length).toBeGreaterThan(3);
      expect(Object.keys(template.findOutputs('*'))).toEqual(expect.arrayContaining([...new Set(outputs)]));
    });

    it('names saved queries and graphs by their titles', () => {
      // A single word in italics may be a metric of AWS.
      const named = [...runbook.replaceAll('**', '').matchAll(/(?<!\*)\*([A-Z][^*`]+ [^*`]+)\*/g)].map(
        ([, name]) => name ?? '',
      );

      expect(named.length).toBeGreaterThan(5);
      for (const name of named)
        expect(titles.filter((title) => title.startsWith(name.replaceAll('\n', ' ')))).toHaveLength(1);
    });
  });

  interface Titled {
    readonly properties: { readonly title: string };
  }

  describe('the setting runbookUrl', () => {
    const { template: elsewhere } = synthesise({ context: { runbookUrl: 'https://wiki.example.com/callfeed' } });

    it('replaces the runbook’s path in each alarm', () => {
      for (const [, { AlarmDescription }] of someOf(elsewhere, 'AWS::CloudWatch::Alarm'))
        expect(AlarmDescription).toMatch(/ What to do: https:\/\/wiki\.example\.com\/callfeed#[a-z0-9-]+$/);
    });
  });

  describe('the setting alarmEmail', () => {
    const { template: mailed } = synthesise({ context: { alarmEmail: 'ops@example.com' } });

    it('subscribes its address to the topic', () => {
      const [[, subscription] = []] = someOf(mailed, 'AWS::SNS::Subscription');

      expect(subscription).toMatchObject({ Protocol: 'email', Endpoint: 'ops@example.com' });
      expect(nameOf(subscription?.['TopicArn'])).toBe('MonitoringTopic.Ref');
    });
  });
});

describe('aws metrics', () => {
  type Known = readonly [namespace: string, metric: string, dimension: string];

  const known: readonly Known[] = [
    // https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-metrics.html
    ['AWS/ApiGateway', '5xx', 'ApiId'],
    ['AWS/ApiGateway', 'Latency', 'ApiId'],
    // https://docs.aws.amazon.com/lambda/latest/dg/monitoring-metrics-types.html
    ['AWS/Lambda', 'Errors', 'FunctionName'],
    ['AWS/Lambda', 'DestinationDeliveryFailures', 'FunctionName'],
    ['AWS/Lambda', 'IteratorAge', 'FunctionName'],
    ['AWS/Lambda', 'Throttles', 'FunctionName'],
    ['AWS/Lambda', 'OnFailureDestinationDeliveredEventCount', 'EventSourceMappingUUID'],
    // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-available-cloudwatch-metrics.html
    ['AWS/SQS', 'ApproximateNumberOfMessagesNotVisible', 'QueueName'],
    ['AWS/SQS', 'ApproximateNumberOfMessagesVisible', 'QueueName'],
  ];

  const { template } = synthesise({ context: { monitoring: 'full', kmsKeyArn } });
  const alarms = someOf(template, 'AWS::CloudWatch::Alarm');
  const ofAlarms = alarms.flatMap(([id, alarm]) =>
    Object.values(watchedMetrics(alarm)).map((metric) => ({ ...metric, alarm: plain(id).replace('Monitoring', '') })),
  );
  const isOfAws = ({ namespace }: { readonly namespace: string }) => namespace.startsWith('AWS/');

  const used = new Map(
    [...ofAlarms, ...metricsOnDashboard(template)]
      .filter(isOfAws)
      .map(({ namespace, metric, dimensions }) => [namespace, metric, ...Object.keys(dimensions)])
      .map((each) => [each.join(' '), each]),
  );

  describe('metrics of AWS', () => {
    it.each([...used.values()])('%s %s by %s is documented by AWS', (...metric) => {
      expect(known).toContainEqual(metric);
    });

    it('are listed above only if they are used', () => {
      expect(used.size).toBe(known.length);
    });

    it('belong to the resource that their alarm is about', () => {
      const parts = ofAlarms.filter(isOfAws).map(({ alarm, dimensions }) => [alarm, ...Object.values(dimensions)]);

      expect(parts).toEqual([
        ['CallbacksFail', 'ApiHttpApi.Ref'],
        ['ReceiverCrashes', 'ReceiveCallbackServiceFunction.Ref'],
        ['ReceiverThrottled', 'ReceiveCallbackServiceFunction.Ref'],
        ['RepliesSlow', 'ApiHttpApi.Ref'],
        ['ParkedOverdue', 'ParkingQueue.QueueName'],
        ['ParkedOverdue', 'ParkingQueue.QueueName'],
        ['ParkedDeadLettered', 'ParkingDeadLetters.QueueName'],
        ['RecoveryCrashes', 'RecoverCallbacksServiceFunction.Ref'],
        ['EventsLate', 'PublishChangesServiceFunction.Ref'],
        ['CallEventsFailed', 'PublishChangesServiceFunctionCalls.Ref'],
        ['AgentEventsFailed', 'PublishChangesServiceFunctionAgents.Ref'],
        ['EventsLost', 'PublishChangesServiceFunction.Ref'],
        ['PublisherCrashes', 'PublishChangesServiceFunction.Ref'],
        ['BusDeadLettered', 'BusDeadLetters.QueueName'],
        ['PollerCrashes', 'PollAgentsServiceFunction.Ref'],
      ]);
    });
  });

  describe('the saved queries', () => {
    const queries = someOf(template, 'AWS::Logs::QueryDefinition').map(([id, query]) => [plain(id), query] as const);

    it.each(queries)('%s queries logs of the deployment, under its name', (_id, { Name, LogGroupNames }) => {
      expect(nameOf(Name)).toMatch(/^callfeed-prod-Callfeed\/[A-Z]/);
      expect(LogGroupNames.map(nameOf).length).toBeGreaterThan(0);
      for (const name of LogGroupNames.map(nameOf)) expect(name).toMatch(/Service(Logs)\.Ref$|^ApiAccessLog\.Ref$/);
    });
  });
});

const spec: AlarmSpec = {
  impact: 'Callbacks fail.',
  runbook: 'callbacks-fail',
  metric: new Metric({ namespace: 'N', metricName: 'M' }),
  threshold: 1,
};

const app = appFor();
let stacks = 0;

const build = (of: AlarmSpec) => {
  const stack = new Stack(app, `Stack${++stacks}`);
  return alarm(stack, 'Alarm', of, { topic: new Topic(stack, 'Topic'), runbook: 'RUNBOOK.md' });
};

describe('an alarm', () => {
  it.each([
    ['without an impact', { impact: '' }],
    ['with a blank impact', { impact: ' ' }],
    ['without a runbook section', { runbook: '' }],
    ['with a blank section', { runbook: ' ' }],
  ])('is not created %s', (_what, lacking) => {
    expect(() => build({ ...spec, ...lacking })).toThrow('An alarm needs an impact and a runbook section');
  });

  it('does not compile without either', () => {
    const { impact, runbook, ...rest } = spec;
    // @ts-expect-error: the impact is missing.
    const withoutImpact: AlarmSpec = { ...rest, runbook };
    // @ts-expect-error: the runbook section is missing.
    const withoutRunbook: AlarmSpec = { ...rest, impact };

    for (const lacking of [withoutImpact, withoutRunbook]) expect(() => build(lacking)).toThrow();
  });
});

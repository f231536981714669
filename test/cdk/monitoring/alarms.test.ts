import { readFileSync } from 'node:fs';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { essentialMetrics, loggedMetrics, metrics } from '../../../lib/telemetry/metrics.ts';
import { kmsKeyArn, switchedOn } from '../support/configurations.ts';
import { synthesise } from '../support/synthesise.ts';
import { nameOf, plain, someOf } from '../support/template.ts';

/** https://docs.github.com/en/get-started/writing-on-github/getting-started-with-writing-and-formatting-on-github/basic-writing-and-formatting-syntax#section-links */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

/** The second-level sections of a text: each heading, its anchor, and the bold words that begin its parts. */
const sectionsIn = (markdown: string) =>
  markdown
    .replace(/^```[\s\S]*?^```$/gm, '')
    .split(/^(?=##? )/m)
    .filter((part) => part.startsWith('## '))
    .map((part) => {
      const [heading = ''] = part.slice(3).split('\n');
      const parts = [...part.matchAll(/^(?:\*\*(\w+)\.\*\*|### (\w+)$)/gm)].map(
        ([, bold, third]) => bold ?? third ?? '',
      );
      return { heading, anchor: anchorOf(heading), parts };
    });

interface Titled {
  readonly properties: { readonly title: string };
}

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

  it.each(alarms)(
    '%s says its impact and its runbook section, and notifies the topic of its beginning and end',
    (_id, alarm) => {
      expect(alarm['AlarmDescription']).toMatch(/^[A-Z][^#]{30,}\. What to do: docs\/runbook\.md#[a-z0-9-]+$/);
      expect(alarm['AlarmDescription'].length).toBeLessThanOrEqual(1_024);
      expect(alarm['AlarmActions'].map(nameOf)).toEqual(['MonitoringTopic.Ref']);
      expect(alarm['OKActions'].map(nameOf)).toEqual(['MonitoringTopic.Ref']);
      expect(alarm).not.toHaveProperty('AlarmName');
      expect(['breaching', 'notBreaching']).toContain(alarm['TreatMissingData']);
      expect(alarm).not.toHaveProperty('DatapointsToAlarm');
    },
  );

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

  it('have the runbook’s address of the setting runbookUrl, and go to the address of alarmEmail', () => {
    const context = { runbookUrl: 'https://wiki.example.com/callfeed', alarmEmail: 'ops@example.com' };
    const { template: elsewhere } = synthesise({ context });
    const [[, subscription] = []] = someOf(elsewhere, 'AWS::SNS::Subscription');

    for (const [, { AlarmDescription }] of alarmsOf(elsewhere))
      expect(AlarmDescription).toMatch(/ What to do: https:\/\/wiki\.example\.com\/callfeed#[a-z0-9-]+$/);
    expect(subscription).toMatchObject({ Protocol: 'email', Endpoint: 'ops@example.com' });
    expect(nameOf(subscription?.['TopicArn'])).toBe('MonitoringTopic.Ref');
  });

  it.each(someOf(template, 'AWS::Logs::QueryDefinition'))(
    'have the saved query %s over logs of the deployment, under its name',
    (_id, { Name, LogGroupNames }) => {
      expect(nameOf(Name)).toMatch(/^callfeed-prod-Callfeed\/[A-Z]/);
      expect(LogGroupNames.map(nameOf).length).toBeGreaterThan(0);
      for (const name of LogGroupNames.map(nameOf)) expect(name).toMatch(/Service(Logs)\.Ref$|^ApiAccessLog\.Ref$/);
    },
  );
});

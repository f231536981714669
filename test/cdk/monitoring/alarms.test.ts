import { readFileSync } from 'node:fs';
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { kmsKeyArn, switchedOn } from '../support/configurations.ts';
import { nameOf, plain, someOf, synthesise } from '../support/template.ts';
import { watchedMetrics } from './evaluate-alarm.ts';

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
      const parts = [...part.matchAll(/^\*\*(\w+)\.\*\*/gm)].map(([, bold]) => bold ?? '');
      return { heading, anchor: anchorOf(heading), parts };
    });

const runbookUrl = 'https://wiki.example.com/callfeed';

describe('alarms', () => {
  const runbook = readFileSync('docs/runbook.md', 'utf8');
  const [ofAlarms = ''] = runbook.split(/^# Keys and secrets$/m);
  const sections = sectionsIn(ofAlarms);

  const alarmsOf = (of: Template) =>
    someOf(of, 'AWS::CloudWatch::Alarm').map(([id, alarm]) => [plain(id).replace('Monitoring', ''), alarm] as const);
  const context = { ...switchedOn, kmsKeyArn, alarmEmail: 'ops@example.com' };
  const { template } = synthesise({ context });
  const alarms = alarmsOf(template);
  const linked = alarmsOf(synthesise({ context: { ...context, runbookUrl, dashboard: 'on' } }).template);
  const sectionOf = ([, { AlarmDescription }]: (typeof linked)[number]) =>
    AlarmDescription.split('\n')[2].replace(`${runbookUrl}#`, '');
  const titles = someOf(template, 'AWS::Logs::QueryDefinition').map(
    ([, { Name }]) => nameOf(Name).split('/').at(-1) ?? '',
  );

  it.each(alarms)(
    '%s says who is hurt and the first command, and notifies the topic of its beginning and end',
    (_id, alarm) => {
      const [impact, first, ...others] = alarm['AlarmDescription'].split('\n');
      const [, command = 'none'] = /^First: (npx callfeed .+) --stack callfeed-prod$/.exec(first) ?? [];

      expect(impact).toMatch(/^[A-Z].{30,}\.$/);
      expect(others).toEqual([]);
      expect(alarm['AlarmActions'].map(nameOf)).toEqual(['MonitoringTopic.Ref']);
      expect(alarm['OKActions'].map(nameOf)).toEqual(['MonitoringTopic.Ref']);
      expect(alarm).not.toHaveProperty('AlarmName');
      expect(['breaching', 'notBreaching']).toContain(alarm['TreatMissingData']);
      expect(alarm).not.toHaveProperty('DatapointsToAlarm');
      expect(runbook).toContain(command);
    },
  );

  it.each(linked)('%s links to its section of the runbook where runbookUrl is set', (...alarm) => {
    expect(sections.map(({ anchor }) => anchor)).toContain(sectionOf(alarm));
    expect(alarm[1]['AlarmDescription'].length).toBeLessThanOrEqual(1_024);
  });

  it('go to the address of alarmEmail', () => {
    const [[, subscription] = []] = someOf(template, 'AWS::SNS::Subscription');

    expect(subscription).toMatchObject({ Protocol: 'email', Endpoint: 'ops@example.com' });
    expect(nameOf(subscription?.['TopicArn'])).toBe('MonitoringTopic.Ref');
  });

  describe('the page on operations', () => {
    const page = readFileSync('docs/operations.md', 'utf8');

    it('lists every alarm with the link to its section', () => {
      const listed = [...page.matchAll(/^\| \[(\w+)\]\(runbook\.md#([a-z-]+)\) \|/gm)].map(([, ...alarm]) => alarm);

      expect(listed.toSorted()).toEqual(linked.map((alarm) => [alarm[0], sectionOf(alarm)]).toSorted());
    });

    it('lists every metric with its unit', () => {
      const listed = [...page.matchAll(/^\| `(\w+)` \| (Count|Seconds) \|/gm)].map(([, ...metric]) => metric);

      const watched = alarms.flatMap(([, alarm]) => Object.values(watchedMetrics(alarm)));
      const names = new Set(watched.flatMap(({ namespace, metric }) => (namespace === 'Callfeed' ? metric : [])));

      expect(listed.toSorted()).toEqual(
        [...names].map((name) => [name, name.endsWith('Seconds') ? 'Seconds' : 'Count']).toSorted(),
      );
    });

    it('lists the saved queries by their titles', () => {
      const listed = [...page.matchAll(/^- \*([A-Z][^*]+)\*:/gm)].map(([, title = '']) => title);

      expect(listed.toSorted()).toEqual(titles.toSorted());
    });
  });

  describe('the runbook', () => {
    it('has a section for each alarm, and no other', () => {
      expect(new Set(sections.map(({ anchor }) => anchor))).toEqual(new Set(linked.map(sectionOf)));
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

  it.each(someOf(template, 'AWS::Logs::QueryDefinition'))(
    'have the saved query %s over logs of the deployment, under its name',
    (_id, { Name, LogGroupNames }) => {
      expect(nameOf(Name)).toMatch(/^callfeed-prod-Callfeed\/[A-Z]/);
      expect(LogGroupNames.map(nameOf).length).toBeGreaterThan(0);
      for (const name of LogGroupNames.map(nameOf)) expect(name).toMatch(/Service(Logs)\.Ref$|^ApiAccessLog\.Ref$/);
    },
  );
});

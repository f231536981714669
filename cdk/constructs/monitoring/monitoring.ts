import type { Alarm, Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { Construct } from 'constructs';
import type { Settings } from '../../settings/settings.ts';
import type { Standards } from '../standards.ts';
import { agentAlarms } from './agent-alarms.ts';
import { type AlarmSpec, alarm } from './alarm.ts';
import { alarmTopic } from './alarm-topic.ts';
import { callbackAlarms } from './callback-alarms.ts';
import { dashboard } from './dashboard.ts';
import { parkingAlarms } from './parking-alarms.ts';
import { publishingAlarms } from './publishing-alarms.ts';
import { SavedQueries } from './saved-queries.ts';
import { senderAlarms } from './sender-alarms.ts';
import type { Watched } from './watched.ts';

/** What is watched, and who is told. */
export interface MonitoringProps {
  readonly standards: Standards;
  readonly watched: Watched;
  readonly settings: Pick<Settings, 'alarmEmail' | 'runbookUrl' | 'leaveOut'>;
  /** Gets the alarms, in place of a topic of our own. */
  readonly topic: ITopic | undefined;
}

/** Where the runbook is in the source, if nobody says where it can be read. */
const runbookInSource = 'cdk/RUNBOOK.md';

/** Alarms, dashboard and saved queries of a deployment. */
export class Monitoring extends Construct {
  readonly topic: ITopic;
  readonly dashboard: Dashboard;
  readonly alarms: readonly Alarm[];

  constructor(scope: Construct, id: string, { standards, watched, settings, topic }: MonitoringProps) {
    super(scope, id);

    this.topic = topic ?? alarmTopic(this, 'Topic', { standards, settings });
    const home = { topic: this.topic, runbook: settings.runbookUrl ?? runbookInSource };
    const specs: Readonly<Record<string, AlarmSpec>> = {
      ...callbackAlarms(watched),
      ...senderAlarms(watched),
      ...parkingAlarms(watched),
      ...publishingAlarms(watched),
      ...(watched.poller && agentAlarms(watched, watched.poller)),
    };
    this.alarms = Object.entries(specs).map(([name, spec]) => alarm(this, name, spec, home));
    this.dashboard = dashboard(this, 'Dashboard', watched);
    if (!settings.leaveOut.includes('queries')) new SavedQueries(this, 'Queries', watched);
  }
}

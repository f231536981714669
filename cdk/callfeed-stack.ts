import { App, CfnOutput, DefaultStackSynthesizer, Stack } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import cdkJson from '../cdk.json' with { type: 'json' };
import { ok, type Result } from '../lib/core/result.ts';
import { Callfeed } from './callfeed.ts';
import { readSettings } from './settings/read-settings.ts';
import type { StageSettings } from './settings/settings.ts';

/** One deployment of Callfeed, and what its operator needs to know of it. */
export class CallfeedStack extends Stack {
  constructor(scope: Construct, settings: StageSettings) {
    const { stage, kmsKeyArn, alarmTopicArn, bootstrapQualifier: qualifier, ...chosen } = settings;
    super(scope, `callfeed-${stage}`, {
      description: "Callfeed: a contact centre's calls and agents as rows in DynamoDB and events on EventBridge.",
      tags: { application: 'callfeed', stage },
      terminationProtection: settings.dataProtection === 'on',
      ...(qualifier !== undefined && { synthesizer: new DefaultStackSynthesizer({ qualifier }) }),
    });

    const callfeed = new Callfeed(this, 'Callfeed', {
      ...chosen,
      ...(kmsKeyArn !== undefined && { encryptionKey: Key.fromKeyArn(this, 'Key', kmsKeyArn) }),
      ...(alarmTopicArn !== undefined && { alarmTopic: Topic.fromTopicArn(this, 'AlarmTopic', alarmTopicArn) }),
    });

    const { api, bus, archive, calls, agents, quarantine, accounts, parking, publisher, poller, monitoring } = callfeed;
    const output = (id: string, value: string, description: string) => new CfnOutput(this, id, { value, description });
    output('CallbackUrl', api.url, 'Address for the contact-centre service; with a callback secret, append /<secret>.');
    output('BusName', bus.eventBusName, 'Event bus to subscribe to.');
    output('BusArn', bus.eventBusArn, 'The same bus, for rules and policies.');
    output('CallsTableName', calls.tableName, 'Table of calls.');
    output('AgentsTableName', agents.tableName, 'Table of agents.');
    output('QuarantineTableName', quarantine.tableName, 'Table of callbacks that were not understood.');
    output('AccountsSecretArn', accounts.secretArn, 'Secret to fill with the JSON list of accounts.');
    output('TimeZone', settings.timeZone, 'Time zone of accounts that name none.');
    output('CallRetentionDays', String(settings.callRetentionDays), 'For how many days calls are kept.');
    output(
      'QuarantineRetentionDays',
      String(settings.quarantineRetentionDays),
      'For how many days quarantine is kept.',
    );
    if (archive) output('EventArchiveArn', archive.archiveArn, 'Archive from which EventBridge replays events.');
    output('ParkingQueueUrl', parking.queue.queueUrl, 'Queue of calls that wait for their table.');
    output('ParkingDeadLettersUrl', parking.deadLetters.queueUrl, 'Queue of calls that could not be stored for a day.');
    output('PublisherName', publisher.service.function.functionName, 'Function that publishes the changes of rows.');
    output('FailedChangesBucketName', publisher.unpublished.bucketName, 'Bucket of changes not published for a day.');
    if (poller) output('TickQueueUrl', poller.ticks.queueUrl, 'Queue of the ticks that have agents polled.');
    output('AlarmTopicArn', monitoring.topic.topicArn, 'Topic to subscribe to for alarms.');
    output('DashboardName', monitoring.dashboard.dashboardName, 'Dashboard in CloudWatch.');
  }
}

/** The stack that `cdk deploy` would make of these settings: without its functions' code, and not validated. */
export const synthesiseStack = (
  context: Readonly<Record<string, string>>,
  outdir: string,
): Result<CallfeedStack, readonly string[]> => {
  const settings = readSettings({ ...cdkJson.context, ...context });
  if (!settings.ok) return settings;

  const app = new App({
    outdir,
    builtinCloudFormationValidation: false,
    context: { ...cdkJson.context, 'aws:cdk:bundling-stacks': [] },
  });
  return ok(new CallfeedStack(app, settings.value));
};

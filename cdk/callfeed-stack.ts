import { App, CfnOutput, DefaultStackSynthesizer, Fn, PermissionsBoundary, Stack } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import cdkJson from '../cdk.json' with { type: 'json' };
import { ok, type Result } from '../lib/core/result.ts';
import manifest from '../package.json' with { type: 'json' };
import { Callfeed } from './callfeed.ts';
import { readSettings } from './settings/read-settings.ts';
import type { StageSettings } from './settings/settings.ts';

export class CallfeedStack extends Stack {
  constructor(scope: Construct, settings: StageSettings) {
    const {
      stage,
      kmsKeyArn,
      alarmTopicArn,
      permissionsBoundary: boundary,
      bootstrapQualifier: qualifier,
      ...constructSettings
    } = settings;
    super(scope, `callfeed-${stage}`, {
      description: "Callfeed: a contact centre's calls and agents as rows in DynamoDB and events on EventBridge.",
      tags: { application: 'callfeed', stage },
      terminationProtection: settings.dataProtection === 'on',
      ...(qualifier !== undefined && { synthesizer: new DefaultStackSynthesizer({ qualifier }) }),
      ...(boundary !== undefined && { permissionsBoundary: PermissionsBoundary.fromName(boundary) }),
    });

    const callfeed = new Callfeed(this, 'Callfeed', {
      ...constructSettings,
      stage,
      ...(kmsKeyArn !== undefined && { encryptionKey: Key.fromKeyArn(this, 'Key', kmsKeyArn) }),
      ...(alarmTopicArn !== undefined && { alarmTopic: Topic.fromTopicArn(this, 'AlarmTopic', alarmTopicArn) }),
    });

    const { busDeadLetters, reconciler, forwarder, recordings, analytics } = callfeed;
    const { api, bus, archive, calls, agents, quarantine, accounts, parking, publisher, poller, monitoring } = callfeed;
    const output = (id: string, value: string, description: string) => new CfnOutput(this, id, { value, description });
    output(
      'CallbackUrl',
      api.url,
      'Callback address for the telephony service; with a callback secret, append /<secret>.',
    );
    if (api.domain)
      output(
        'CallbackDomainTarget',
        api.domain.regionalDomainName,
        'Target of the CNAME record that your DNS needs for callbackDomain.',
      );
    output('Version', manifest.version, 'Version of Callfeed that is deployed.');
    output('BusName', bus.eventBusName, 'Event bus that carries the events.');
    output('BusArn', bus.eventBusArn, 'ARN of the event bus, for rules and policies.');
    output('CallsTableName', calls.tableName, 'Table of calls.');
    output('AgentsTableName', agents.tableName, 'Table of agents.');
    output('QuarantineTableName', quarantine.tableName, 'Table of callbacks that could not be read.');
    output('AccountsSecretArn', accounts.secretArn, 'Secret that must hold the JSON list of accounts.');
    output('CallRetentionDays', String(settings.callRetentionDays), 'Days for which calls are stored.');
    output(
      'QuarantineRetentionDays',
      String(settings.quarantineRetentionDays),
      'Days for which quarantined callbacks are stored.',
    );
    if (archive) {
      output('EventArchiveArn', archive.archiveArn, 'Archive from which EventBridge replays events.');
      output('EventArchiveRetentionDays', String(settings.eventArchiveDays), 'Days for which events are archived.');
    }
    if (busDeadLetters)
      output(
        'BusDeadLettersUrl',
        busDeadLetters.queueUrl,
        'Queue of events that the bus could not encrypt or decrypt.',
      );
    output('ParkingQueueUrl', parking.queue.queueUrl, 'Queue of calls that wait until their table accepts writes.');
    output(
      'ParkingDeadLettersUrl',
      parking.deadLetters.queueUrl,
      'Dead-letter queue of calls that could not be stored for a day.',
    );
    output(
      'PublisherName',
      publisher.service.function.functionName,
      'Function that publishes an event for each changed row.',
    );
    output(
      'FailedChangesBucketName',
      publisher.failedChanges.bucketName,
      'Bucket of changes that could not be published for a day.',
    );
    if (poller) output('TickQueueUrl', poller.ticks.queueUrl, 'Queue of the ticks that start each poll of agents.');
    if (reconciler)
      output(
        'ReconciliationQueueUrl',
        reconciler.queue.queueUrl,
        'Queue of the messages that start and continue the reconciliation of calls.',
      );
    if (forwarder) {
      output('ForwardingQueueUrl', forwarder.queue.queueUrl, 'Queue of deliveries that are to be forwarded.');
      output(
        'ForwardingDeadLettersUrl',
        forwarder.deadLetters.queueUrl,
        'Dead-letter queue of deliveries that could not be forwarded for a day.',
      );
    }
    if (recordings) {
      output('RecordingsBucketName', recordings.bucket.bucketName, 'Bucket of the archived recordings.');
      output('RecordingsQueueUrl', recordings.queue.queueUrl, 'Queue of calls whose recordings are to be archived.');
      output(
        'RecordingsDeadLettersUrl',
        recordings.deadLetters.queueUrl,
        'Dead-letter queue of recordings that were given up, each with the reason.',
      );
    }
    if (analytics) {
      output('AnalyticsBucketName', analytics.bucket.bucketName, 'Bucket of the rows of calls and agents, as Parquet.');
      output('AnalyticsDatabase', analytics.catalogue.databaseName, 'Glue database of their tables and views.');
      output(
        'AnalyticsUndeliveredUrl',
        analytics.undelivered.queueUrl,
        'Queue of events that could not be sent to Firehose for a day.',
      );
      output(
        'AnalyticsRuleArns',
        Fn.join(
          ',',
          analytics.streams.map(({ rule }) => rule.ruleArn),
        ),
        'Rules to which the archive can replay events, so that no other subscriber gets them.',
      );
      output('AnalyticsWorkGroup', analytics.catalogue.workGroupName, 'Athena work group for questions about them.');
    }
    output('AlarmTopicArn', monitoring.topic.topicArn, 'Topic that receives the alarms.');
    if (monitoring.dashboard)
      output('DashboardName', monitoring.dashboard.dashboardName, 'CloudWatch dashboard of the deployment.');
  }
}

/** Synthesises the stack for these settings as `cdk deploy` would, but without the functions' code and validation. */
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

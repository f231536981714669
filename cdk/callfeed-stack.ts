import { App, CfnOutput, DefaultStackSynthesizer, PermissionsBoundary, Stack } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import cdkJson from '../cdk.json' with { type: 'json' };
import { ok, type Result } from '../lib/core/result.ts';
import manifest from '../package.json' with { type: 'json' };
import { Callfeed } from './callfeed.ts';
import type { Outputs } from './constructs/deployment-context.ts';
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

    const { api, bus, busDeadLetters, archive, calls, agents, quarantine, accounts, parking } = callfeed;
    const { publisher, features, monitoring } = callfeed;
    const { callRetentionDays, quarantineRetentionDays, eventArchiveDays } = settings;
    const outputs: Outputs = {
      CallbackUrl: [api.url, 'Callback address for the telephony service; with a callback secret, append /<secret>.'],
      ...(api.domain && {
        CallbackDomainTarget: [
          api.domain.regionalDomainName,
          'Target of the CNAME record that your DNS needs for callbackDomain.',
        ],
      }),
      Version: [manifest.version, 'Version of Callfeed that is deployed.'],
      BusName: [bus.eventBusName, 'Event bus that carries the events.'],
      BusArn: [bus.eventBusArn, 'ARN of the event bus, for rules and policies.'],
      CallsTableName: [calls.tableName, 'Table of calls.'],
      AgentsTableName: [agents.tableName, 'Table of agents.'],
      QuarantineTableName: [quarantine.tableName, 'Table of callbacks that could not be read.'],
      AccountsSecretArn: [accounts.secretArn, 'Secret that must hold the JSON list of accounts.'],
      CallRetentionDays: [String(callRetentionDays), 'Days for which calls are stored.'],
      QuarantineRetentionDays: [String(quarantineRetentionDays), 'Days for which quarantined callbacks are stored.'],
      ...(archive && {
        EventArchiveArn: [archive.archiveArn, 'Archive from which EventBridge replays events.'],
        EventArchiveRetentionDays: [String(eventArchiveDays), 'Days for which events are archived.'],
      }),
      ...(busDeadLetters && {
        BusDeadLettersUrl: [busDeadLetters.queueUrl, 'Queue of events that the bus could not encrypt or decrypt.'],
      }),
      ParkingQueueUrl: [parking.queue.queueUrl, 'Queue of calls that wait until their table accepts writes.'],
      ParkingDeadLettersUrl: [
        parking.deadLetters.queueUrl,
        'Dead-letter queue of calls that could not be stored for a day.',
      ],
      PublisherName: [
        publisher.service.function.functionName,
        'Function that publishes an event for each changed row.',
      ],
      FailedChangesBucketName: [
        publisher.failedChanges.bucketName,
        'Bucket of changes that could not be published for a day.',
      ],
      ...Object.fromEntries(features.flatMap(({ outputs }) => Object.entries(outputs))),
      AlarmTopicArn: [monitoring.topic.topicArn, 'Topic that receives the alarms.'],
      ...(monitoring.dashboard && {
        DashboardName: [monitoring.dashboard.dashboardName, 'CloudWatch dashboard of the deployment.'],
      }),
    };
    for (const [id, [value, description]] of Object.entries(outputs)) new CfnOutput(this, id, { value, description });
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

/**
 * The app of one stage: its settings come from `callfeed.json` and the command line. Prints a sentence for each invalid
 * setting instead of synthesising, and ends with 1.
 * @param addChecks adds checks of the templates before they are synthesised
 */
export const deployStage = (addChecks: (app: App) => void = () => undefined): void => {
  // An installation from the package has a cdk.json of its own: CDK's feature flags must be the ones that were tested.
  const app = new App({ autoSynth: false, context: cdkJson.context });
  const settings = readSettings(app.node.getAllContext());

  if (settings.ok) {
    new CallfeedStack(app, settings.value);
    addChecks(app);
    app.synth();
  } else {
    process.stderr.write(`${settings.problem.join('\n')}\n`);
    process.exitCode = 1;
  }
};

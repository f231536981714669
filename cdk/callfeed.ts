import { Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Archive, IEventBus } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { agentsTable, callsTable, quarantineTable } from '../lib/storage/tables.ts';
import { Analytics } from './constructs/analytics.ts';
import { ArchiveRecordings } from './constructs/archive-recordings.ts';
import { CallbackApi } from './constructs/callback-api.ts';
import { ParkingQueue, ReceiveCallback, RecoverCallbacks } from './constructs/callback-functions.ts';
import {
  type Core,
  type DeploymentContext,
  deploymentKey,
  deploymentName,
  type Outputs,
} from './constructs/deployment-context.ts';
import { eventArchive, eventBus, publishedSchemas } from './constructs/event-bus.ts';
import { ForwardDeliveries } from './constructs/forward-deliveries.ts';
import { type Alarms, Monitoring } from './constructs/monitoring.ts';
import { PollAgents } from './constructs/poll-agents.ts';
import { PublishChanges } from './constructs/publish-changes.ts';
import { ReconcileCalls } from './constructs/reconcile-calls.ts';
import type { ServiceFunction } from './constructs/service-function.ts';
import { accountsSecret, callsTableClass, dynamoTable } from './constructs/storage.ts';
import { type ChosenSettings, Settings, validSettings } from './settings/settings.ts';
import { writeStageParameters } from './stage-parameters.ts';
import { Subscribable } from './subscriptions.ts';
import { CallfeedTables } from './tables.ts';

/** What a setting adds to a deployment: a function, what alarms it raises, and what it adds to the outputs of the stack. */
export interface StackFeature extends Construct {
  readonly service: ServiceFunction;
  readonly alarms: Alarms;
  readonly outputs: Outputs;
}

/** Each with the id of its construct, which fixes logical ids. */
const optionalFeatures: readonly {
  readonly id: string;
  readonly isOn: (settings: Settings) => boolean;
  readonly Feature: new (scope: Construct, id: string, core: Core) => StackFeature;
}[] = [
  { id: 'PollAgents', isOn: ({ agentPolling }) => agentPolling === 'on', Feature: PollAgents },
  { id: 'ReconcileCalls', isOn: ({ reconciliation }) => reconciliation !== 'off', Feature: ReconcileCalls },
  { id: 'ForwardDeliveries', isOn: ({ forwarding }) => forwarding === 'on', Feature: ForwardDeliveries },
  { id: 'ArchiveRecordings', isOn: ({ recordings }) => recordings === 'archive', Feature: ArchiveRecordings },
  { id: 'Analytics', isOn: ({ analytics }) => analytics === 'on', Feature: Analytics },
];

/** The settings, all optional (docs/configuration.md of the package describes each), and the resources that your own app may supply. */
export interface CallfeedProps extends ChosenSettings {
  /**
   * Publishes bus and tables under this name, so that stacks of the same AWS account and region find them with
   * `CallfeedEvents.fromStage` and `CallfeedTables.fromStage`. Two deployments cannot have the same: SSM refuses the second
   * one's parameters `/callfeed/{stage}/…`, and its deployment is rolled back. The stack of Callfeed's repository uses its own stage.
   */
  readonly stage?: string;
  /** Receives the events instead of a new bus. It must be in the same account and region. Its policy stays as it is. */
  readonly bus?: IEventBus;
  /** Encrypts all stored data instead of the keys that AWS owns. */
  readonly encryptionKey?: IKey;
  /** Receives the alarms instead of a new topic. */
  readonly alarmTopic?: ITopic;
}

/**
 * The whole service, in a stack of its own or as part of another stack.
 *
 * Throws when a setting is invalid, and names the setting and what is allowed. The ids below fix the logical ids: renaming
 * one replaces the resource and loses its data. Subscribers in the same stack use the methods of this construct. Subscribers
 * in another stack create `CallfeedEvents` there, because otherwise the two stacks would depend on each other.
 * @example
 * const callfeed = new Callfeed(this, 'Callfeed', { callRetentionDays: 400, alarmTopic });
 * callfeed.onCallRecorded(new SqsQueue(queue), { where: { call: missedCalls } });
 */
export class Callfeed extends Subscribable {
  readonly api: CallbackApi;
  readonly bus: IEventBus;
  /** Events that the bus could not encrypt or decrypt. Undefined with a bus of yours, and without a key of yours. */
  readonly busDeadLetters: Queue | undefined;
  /** Undefined if `leaveOut` has `archive`. */
  readonly archive: Archive | undefined;
  readonly calls: TableV2;
  readonly agents: TableV2;
  readonly quarantine: TableV2;
  /** The tables of calls and agents for readers in the same app: `callfeed.tables.grantRead(fn)`. */
  readonly tables: CallfeedTables;
  readonly accounts: Secret;
  readonly parking: ParkingQueue;
  readonly publisher: PublishChanges;
  readonly poller: PollAgents | undefined;
  readonly reconciler: ReconcileCalls | undefined;
  readonly forwarder: ForwardDeliveries | undefined;
  readonly recordings: ArchiveRecordings | undefined;
  readonly analytics: Analytics | undefined;
  readonly monitoring: Monitoring;
  /** @internal What settings have added, for the outputs of the stack. */
  readonly features: readonly StackFeature[];

  constructor(scope: Construct, id: string, props: CallfeedProps = {}) {
    super(scope, id);

    const { stage, bus, encryptionKey: key, alarmTopic, ...input } = props;
    const checked = validSettings(Settings, Object.keys(Settings.shape), input, { bus, alarmTopic });
    if (!checked.ok) throw new Error(`Invalid Callfeed settings: ${checked.problem.join(' ')}`);
    const settings = checked.value;
    const { readerAccounts, leaveOut } = settings;
    const encryptionKey = key && deploymentKey(this, 'Key', key, settings);
    const deploymentContext: DeploymentContext = {
      deployment: deploymentName(this),
      encryptionKey,
      isProtected: settings.dataProtection === 'on',
      logRetention: settings.logRetentionDays,
      isTraced: settings.tracing === 'on',
    };

    const tableClass = callsTableClass(settings);
    this.calls = dynamoTable(this, 'Calls', deploymentContext, callsTable, { readerAccounts, tableClass });
    this.agents = dynamoTable(this, 'Agents', deploymentContext, agentsTable, { readerAccounts });
    this.quarantine = dynamoTable(this, 'Quarantine', deploymentContext, quarantineTable);
    this.accounts = accountsSecret(this, 'Accounts', deploymentContext);
    const made = bus ? { bus, deadLetters: undefined, alarms: {} } : eventBus(this, 'Bus', deploymentContext, settings);
    this.bus = made.bus;
    this.busDeadLetters = made.deadLetters;

    const { calls, agents, quarantine, accounts } = this;
    const core: Core = { deploymentContext, settings, calls, agents, quarantine, accounts, bus: made.bus };
    this.archive = leaveOut.includes('archive') ? undefined : eventArchive(this, 'Archive', core);
    if (!leaveOut.includes('schemas')) publishedSchemas(this, 'Schemas', settings);

    this.parking = new ParkingQueue(this, 'Parking', deploymentContext);
    const receiver = new ReceiveCallback(this, 'ReceiveCallback', { ...core, parking: this.parking });
    const recovery = new RecoverCallbacks(this, 'RecoverCallbacks', { ...core, parking: this.parking });
    this.publisher = new PublishChanges(this, 'PublishChanges', core);
    this.api = new CallbackApi(this, 'Api', { ...core, receiver: receiver.service.function });

    this.features = optionalFeatures
      .filter(({ isOn }) => isOn(settings))
      .map(({ id, Feature }) => new Feature(this, id, core));
    this.poller = this.features.find((feature) => feature instanceof PollAgents);
    this.reconciler = this.features.find((feature) => feature instanceof ReconcileCalls);
    this.forwarder = this.features.find((feature) => feature instanceof ForwardDeliveries);
    this.recordings = this.features.find((feature) => feature instanceof ArchiveRecordings);
    this.analytics = this.features.find((feature) => feature instanceof Analytics);

    const recordingsBucketArn = this.recordings?.bucket.bucketArn;
    this.tables = new CallfeedTables(this, 'Tables', {
      calls: { arn: calls.tableArn, name: calls.tableName },
      agents: { arn: agents.tableArn, name: agents.tableName },
      keyArn: encryptionKey?.keyArn,
      recordingsBucketArn: () => recordingsBucketArn,
    });
    if (stage !== undefined)
      writeStageParameters(new Construct(this, 'StageParameters'), stage, {
        'bus-arn': this.bus.eventBusArn,
        'calls-table-arn': calls.tableArn,
        'agents-table-arn': agents.tableArn,
        'key-arn':
          encryptionKey?.keyArn ?? Stack.of(this).formatArn({ service: 'kms', resource: 'key', resourceName: 'none' }),
        'recordings-bucket-arn': recordingsBucketArn,
        deployment: deploymentContext.deployment,
      });

    const watched = [this.api, receiver, this.parking, this.publisher, made, ...this.features];
    const services = [receiver, recovery, this.publisher, ...this.features].map(({ service }) => service);
    this.monitoring = new Monitoring(this, 'Monitoring', {
      deploymentContext,
      settings,
      topic: alarmTopic,
      alarms: Object.fromEntries(watched.flatMap(({ alarms }) => Object.entries(alarms))),
      logs: { receiver: receiver.service.log, functions: services.map(({ log }) => log), api: this.api.accessLog },
    });
  }
}

import { Stack } from 'aws-cdk-lib';
import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Archive, IEventBus } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { agentsTable, callsTable, callsTableWithRecordings, quarantineTable } from '../lib/storage/tables.ts';
import { accountsSecret } from './constructs/accounts-secret.ts';
import { Analytics } from './constructs/analytics.ts';
import { ArchiveRecordings } from './constructs/archive-recordings.ts';
import { CallbackApi } from './constructs/callback-api.ts';
import { ParkingQueue, ReceiveCallback, RecoverCallbacks } from './constructs/callback-functions.ts';
import { type DeploymentContext, deploymentName } from './constructs/deployment-context.ts';
import { deploymentKey } from './constructs/encryption-key.ts';
import { eventArchive, eventBus, eventSchemas } from './constructs/event-bus.ts';
import { ForwardDeliveries } from './constructs/forward-deliveries.ts';
import { PollAgents } from './constructs/poll-agents.ts';
import { PublishChanges } from './constructs/publish-changes.ts';
import { ReconcileCalls } from './constructs/reconcile-calls.ts';
import { callsTableClass, dynamoTable } from './constructs/storage.ts';
import { Monitoring } from './monitoring.ts';
import { checkSettings } from './settings/check-settings.ts';
import type { ChosenSettings } from './settings/settings.ts';
import { writeStageParameters } from './stage-parameters.ts';
import { Subscribable } from './subscriptions.ts';
import { CallfeedTables } from './tables.ts';

/** The settings, all optional, and the resources that a customer's own app may supply. */
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

  constructor(scope: Construct, id: string, props: CallfeedProps = {}) {
    super(scope, id);

    const { stage, bus, encryptionKey: key, alarmTopic, ...input } = props;
    const settings = checkSettings(input, { bus, alarmTopic });
    const { readerAccounts } = settings;
    const encryptionKey = key && deploymentKey(this, 'Key', key, settings);
    const deployment = deploymentName(this);
    const deploymentContext: DeploymentContext = {
      deployment,
      encryptionKey,
      isProtected: settings.dataProtection === 'on',
      logRetention: settings.logRetentionDays,
      isTraced: settings.tracing === 'on',
    };

    this.calls = dynamoTable(this, 'Calls', {
      declaration: callsTable,
      deploymentContext,
      readerAccounts,
      tableClass: callsTableClass(settings),
    });
    this.agents = dynamoTable(this, 'Agents', { declaration: agentsTable, deploymentContext, readerAccounts });
    this.quarantine = dynamoTable(this, 'Quarantine', { declaration: quarantineTable, deploymentContext });
    this.accounts = accountsSecret(this, 'Accounts', deploymentContext);
    const made = bus
      ? { bus, deadLetters: undefined, alarms: {} }
      : eventBus(this, 'Bus', { deploymentContext, settings });
    this.bus = made.bus;
    this.busDeadLetters = made.deadLetters;
    this.archive = settings.leaveOut.includes('archive')
      ? undefined
      : eventArchive(this, 'Archive', { deploymentContext, bus: this.bus, settings });
    if (!settings.leaveOut.includes('schemas')) eventSchemas(this, 'Schemas', settings);

    this.parking = new ParkingQueue(this, 'Parking', deploymentContext);
    const { accounts, calls, agents, parking } = this;
    this.recordings =
      settings.recordings === 'archive'
        ? new ArchiveRecordings(this, 'ArchiveRecordings', { deploymentContext, calls, bus: this.bus, settings })
        : undefined;
    this.tables = new CallfeedTables(this, 'Tables', {
      calls: { arn: calls.tableArn, name: calls.tableName },
      agents: { arn: agents.tableArn, name: agents.tableName },
      keyArn: encryptionKey?.keyArn,
      recordingsBucketArn: () => this.recordings?.bucket.bucketArn,
    });
    if (stage !== undefined)
      writeStageParameters(new Construct(this, 'StageParameters'), stage, {
        'bus-arn': this.bus.eventBusArn,
        'calls-table-arn': calls.tableArn,
        'agents-table-arn': agents.tableArn,
        'key-arn':
          encryptionKey?.keyArn ?? Stack.of(this).formatArn({ service: 'kms', resource: 'key', resourceName: 'none' }),
        'recordings-bucket-arn': this.recordings?.bucket.bucketArn,
        deployment,
      });
    const store = { deploymentContext, calls: this.calls, quarantine: this.quarantine, parking, settings };
    const receiver = new ReceiveCallback(this, 'ReceiveCallback', { ...store, accounts });
    const { service: recovery } = new RecoverCallbacks(this, 'RecoverCallbacks', store);
    this.publisher = new PublishChanges(this, 'PublishChanges', {
      deploymentContext,
      settings,
      bus: this.bus,
      tables: {
        Calls: {
          table: this.calls,
          kinds: (this.recordings === undefined ? callsTable : callsTableWithRecordings).published,
        },
        Agents: { table: agents, kinds: agentsTable.published },
      },
    });
    this.poller =
      settings.agentPolling === 'on'
        ? new PollAgents(this, 'PollAgents', { deploymentContext, agents, accounts, settings })
        : undefined;
    const { reconciliation: frequency } = settings;
    this.reconciler =
      frequency === 'off'
        ? undefined
        : new ReconcileCalls(this, 'ReconcileCalls', { ...store, agents, accounts, frequency });
    this.forwarder =
      settings.forwarding === 'on'
        ? new ForwardDeliveries(this, 'ForwardDeliveries', { deploymentContext, calls, accounts })
        : undefined;
    this.analytics =
      settings.analytics === 'on'
        ? new Analytics(this, 'Analytics', { deploymentContext, settings, bus: this.bus })
        : undefined;

    this.api = new CallbackApi(this, 'Api', { deploymentContext, receiver: receiver.service.function, settings });
    const optional = [this.poller, this.reconciler, this.forwarder, this.recordings, this.analytics].filter(
      (part) => part !== undefined,
    );
    const watched = [this.api, receiver, parking, this.publisher, made, ...optional];
    const services = [receiver.service, recovery, this.publisher.service, ...optional.map(({ service }) => service)];
    this.monitoring = new Monitoring(this, 'Monitoring', {
      deploymentContext,
      settings,
      topic: alarmTopic,
      alarms: Object.fromEntries(watched.flatMap(({ alarms }) => Object.entries(alarms))),
      logs: { receiver: receiver.service.log, functions: services.map(({ log }) => log), api: this.api.accessLog },
    });
  }
}

import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Archive, IEventBus } from 'aws-cdk-lib/aws-events';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { agentsTable, callsTable, quarantineTable } from '../lib/schema/tables.ts';
import { accountsSecret } from './constructs/accounts-secret.ts';
import { CallbackApi } from './constructs/callback-api.ts';
import { deploymentKey } from './constructs/encryption-key.ts';
import { eventArchive, eventBus, eventSchemas } from './constructs/event-bus.ts';
import { ParkingQueue } from './constructs/parking-queue.ts';
import { PollAgents } from './constructs/poll-agents.ts';
import { PublishChanges } from './constructs/publish-changes.ts';
import { ReceiveCallback } from './constructs/receive-callback.ts';
import { ReconcileCalls } from './constructs/reconcile-calls.ts';
import { RecoverCallbacks } from './constructs/recover-callbacks.ts';
import { timeoutOf } from './constructs/service-function.ts';
import { deploymentName, type Standards } from './constructs/standards.ts';
import { dynamoTable } from './constructs/table.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { checkSettings } from './settings/check-settings.ts';
import type { ChosenSettings } from './settings/settings.ts';
import { Subscribable } from './subscriptions.ts';

/** The settings, all optional, and the resources that a customer's own app may supply. */
export interface CallfeedProps extends ChosenSettings {
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
 * callfeed.onCallRecorded(new SqsQueue(missed), { where: { call: { status: ['not-answered'] } } });
 */
export class Callfeed extends Subscribable {
  readonly api: CallbackApi;
  readonly bus: IEventBus;
  /** Undefined if `leaveOut` has `archive`. */
  readonly archive: Archive | undefined;
  readonly calls: TableV2;
  readonly agents: TableV2;
  readonly quarantine: TableV2;
  readonly accounts: Secret;
  readonly parking: ParkingQueue;
  readonly publisher: PublishChanges;
  /** Undefined if agents are not polled. */
  readonly poller: PollAgents | undefined;
  /** Undefined unless calls are reconciled with the service's report. */
  readonly reconciler: ReconcileCalls | undefined;
  readonly monitoring: Monitoring;

  constructor(scope: Construct, id: string, { bus, encryptionKey: key, alarmTopic, ...input }: CallfeedProps = {}) {
    super(scope, id);

    const settings = checkSettings(input, { bus, alarmTopic });
    const encryptionKey = key && deploymentKey(this, 'Key', key);
    const deployment = deploymentName(this);
    const standards: Standards = {
      deployment,
      encryptionKey,
      isProtected: settings.dataProtection === 'on',
      logRetention: settings.logRetentionDays,
      isTraced: settings.tracing === 'on',
    };

    this.calls = dynamoTable(this, 'Calls', callsTable, standards);
    this.agents = dynamoTable(this, 'Agents', agentsTable, standards);
    this.quarantine = dynamoTable(this, 'Quarantine', quarantineTable, standards);
    this.accounts = accountsSecret(this, 'Accounts', standards);
    this.bus = bus ?? eventBus(this, 'Bus', { standards, settings });
    this.archive = settings.leaveOut.includes('archive')
      ? undefined
      : eventArchive(this, 'Archive', { standards, bus: this.bus, settings });
    if (!settings.leaveOut.includes('schemas')) eventSchemas(this, 'Schemas', { settings });

    this.parking = new ParkingQueue(this, 'Parking', { standards, consumerTimeout: timeoutOf('recover-callbacks') });
    const { accounts, agents, parking } = this;
    const store = { standards, calls: this.calls, quarantine: this.quarantine, parking, settings };
    const { service: receiver } = new ReceiveCallback(this, 'ReceiveCallback', { ...store, accounts });
    const { service: recovery } = new RecoverCallbacks(this, 'RecoverCallbacks', store);
    this.publisher = new PublishChanges(this, 'PublishChanges', {
      standards,
      settings,
      bus: this.bus,
      tables: {
        Calls: { table: this.calls, kinds: callsTable.published },
        Agents: { table: agents, kinds: agentsTable.published },
      },
    });
    this.poller =
      settings.agentPolling === 'on'
        ? new PollAgents(this, 'PollAgents', { standards, agents, accounts, settings })
        : undefined;
    const { reconciliation: frequency } = settings;
    this.reconciler =
      frequency === 'off'
        ? undefined
        : new ReconcileCalls(this, 'ReconcileCalls', { ...store, agents, accounts, frequency });

    this.api = new CallbackApi(this, 'Api', { standards, receiver: receiver.function, settings });
    this.monitoring = new Monitoring(this, 'Monitoring', {
      standards,
      settings,
      topic: alarmTopic,
      watched: {
        deployment,
        receiver,
        recovery,
        parking,
        api: this.api,
        publisher: this.publisher.service,
        subscriptions: this.publisher.subscriptions,
        poller: this.poller?.service,
        reconciler: this.reconciler,
      },
    });
  }
}

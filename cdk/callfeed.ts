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
import { EventSchemas, eventArchive, eventBus } from './constructs/event-bus.ts';
import { ParkingQueue } from './constructs/parking-queue.ts';
import { PollAgents } from './constructs/poll-agents.ts';
import { PublishChanges } from './constructs/publish-changes.ts';
import { ReceiveCallback } from './constructs/receive-callback.ts';
import { RecoverCallbacks } from './constructs/recover-callbacks.ts';
import { timeoutOf } from './constructs/service-function.ts';
import { deploymentName, type Standards } from './constructs/standards.ts';
import { dynamoTable } from './constructs/table.ts';
import { Monitoring } from './monitoring/monitoring.ts';
import { checkSettings } from './settings/check-settings.ts';
import type { ChosenSettings } from './settings/settings.ts';
import { Subscribable } from './subscriptions.ts';

/** The settings, all of them with defaults, and what a customer's own app may bring instead of ours. */
export interface CallfeedProps extends ChosenSettings {
  /** Gets the events, in place of a bus of our own; of the same account and region, and under its owner's policy. */
  readonly bus?: IEventBus;
  /** Encrypts whatever is kept, in place of the keys that AWS owns. */
  readonly encryptionKey?: IKey;
  /** Gets the alarms, in place of a topic of our own. */
  readonly alarmTopic?: ITopic;
}

/**
 * The whole service, for a stack of its own or as a part of another one. Throws at a wrong setting, naming it and what is
 * allowed. Ids fix logical ids: renaming one loses data. Subscribers of the same stack ask it for events; those with a
 * stack of their own make `CallfeedEvents` there, or the two stacks would depend on each other.
 * @example
 * const callfeed = new Callfeed(this, 'Callfeed', { callRetentionDays: 400, alarmTopic });
 * callfeed.onCallRecorded(new SqsQueue(missed), { where: { call: { status: ['not-answered'] } } });
 */
export class Callfeed extends Subscribable {
  readonly api: CallbackApi;
  readonly bus: IEventBus;
  /** None where it was left out. */
  readonly archive: Archive | undefined;
  readonly calls: TableV2;
  readonly agents: TableV2;
  readonly quarantine: TableV2;
  readonly accounts: Secret;
  readonly parking: ParkingQueue;
  readonly publisher: PublishChanges;
  /** None where agents are not polled. */
  readonly poller: PollAgents | undefined;
  readonly monitoring: Monitoring;

  constructor(scope: Construct, id: string, { bus, encryptionKey: key, alarmTopic, ...chosen }: CallfeedProps = {}) {
    super(scope, id);

    const settings = checkSettings(chosen, { bus, alarmTopic });
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
    if (!settings.leaveOut.includes('schemas')) new EventSchemas(this, 'Schemas', { settings });

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
      },
    });
  }
}

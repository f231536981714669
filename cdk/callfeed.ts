import type { TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { agentsTable, callsTable, quarantineTable } from '../lib/contract/tables.ts';
import type { Settings } from './config.ts';
import { accountsSecret } from './constructs/accounts-secret.ts';
import { CallbackApi } from './constructs/callback-api.ts';
import { ParkingQueue } from './constructs/parking-queue.ts';
import { PollAgents } from './constructs/poll-agents.ts';
import { PublishChanges } from './constructs/publish-changes.ts';
import { ReceiveCallback } from './constructs/receive-callback.ts';
import { RecoverCallbacks } from './constructs/recover-callbacks.ts';
import { timeoutOf } from './constructs/service-function.ts';
import { tableFrom } from './constructs/table-from.ts';

/** The whole service, for a stack of its own or as a part of another one. Ids fix logical ids: renaming one loses data. */
export class Callfeed extends Construct {
  readonly api: CallbackApi;
  readonly bus: EventBus;
  readonly calls: TableV2;
  readonly agents: TableV2;
  readonly quarantine: TableV2;
  readonly accounts: Secret;

  constructor(scope: Construct, id: string, settings: Omit<Settings, 'stage'>) {
    super(scope, id);

    this.calls = tableFrom(this, 'Calls', callsTable);
    this.agents = tableFrom(this, 'Agents', agentsTable);
    this.quarantine = tableFrom(this, 'Quarantine', quarantineTable);
    this.accounts = accountsSecret(this, 'Accounts');
    this.bus = new EventBus(this, 'Bus', { description: 'Calls and agents of the contact centre, as events.' });

    const parking = new ParkingQueue(this, 'Parking', { consumerTimeout: timeoutOf('recover-callbacks') });
    const store = { calls: this.calls, quarantine: this.quarantine, settings };
    const receive = new ReceiveCallback(this, 'ReceiveCallback', { ...store, accounts: this.accounts, parking });
    new RecoverCallbacks(this, 'RecoverCallbacks', { ...store, parking });
    if (settings.agentPolling === 'on')
      new PollAgents(this, 'PollAgents', { agents: this.agents, accounts: this.accounts, settings });
    new PublishChanges(this, 'PublishChanges', {
      bus: this.bus,
      tables: {
        Calls: { table: this.calls, kinds: callsTable.published },
        Agents: { table: this.agents, kinds: agentsTable.published },
      },
    });

    this.api = new CallbackApi(this, 'Api', { receiver: receive.function, settings });
  }
}

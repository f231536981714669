import { CfnOutput, Stack } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { Callfeed } from './callfeed.ts';
import type { Settings } from './config.ts';

/** One deployment of Callfeed, and what its operator needs to know of it. */
export class CallfeedStack extends Stack {
  constructor(scope: Construct, settings: Settings) {
    super(scope, `callfeed-${settings.stage}`, {
      description: "Callfeed: a contact centre's calls and agents as rows in DynamoDB and events on EventBridge.",
      tags: { application: 'callfeed', stage: settings.stage },
    });

    const { api, bus, calls, agents, quarantine, accounts } = new Callfeed(this, 'Callfeed', settings);

    const output = (id: string, value: string, description: string) => new CfnOutput(this, id, { value, description });
    output('CallbackUrl', api.url, 'Address for the contact-centre service; with a callback secret, append /<secret>.');
    output('BusName', bus.eventBusName, 'Event bus to subscribe to.');
    output('BusArn', bus.eventBusArn, 'The same bus, for rules and policies.');
    output('CallsTableName', calls.tableName, 'Table of calls.');
    output('AgentsTableName', agents.tableName, 'Table of agents.');
    output('QuarantineTableName', quarantine.tableName, 'Table of callbacks that were not understood.');
    output('AccountsSecretArn', accounts.secretArn, 'Secret to fill with the JSON list of accounts.');
  }
}

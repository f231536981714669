import { type AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { connect } from '../../../cli/connection/connect.ts';
import type { Context } from '../../../cli/context.ts';
import { accountIndex } from '../../../lib/accounts/account-index.ts';
import { localClient } from '../../../sandbox/local-aws.ts';
import { startSandbox } from '../../../sandbox/sandbox.ts';
import { pollTwoDays } from '../../support/polled-centre.ts';
import { demoCall, postCall } from '../../support/sandbox.ts';
import { cli } from './cli-run.ts';

type Item = Readonly<Record<string, AttributeValue>>;

/** A name, number or word that must be seen by nobody who did not ask for people. */
export const sentinel = /SENTINEL|98765/;
export const customer = '09876512345';

/** What a terminal would obey. */
const clearScreen = '\u001B[2J';

export const wholeCall = '700000000000000001';

/** The same call twice, with everything personal in it that there can be, and a participant. */
const deliveries = [
  {
    ...demoCall(wholeCall, {
      CallerID: customer,
      AgentID: 'asha -> ravi',
      AgentName: 'SENTINEL Rao -> SENTINEL Iyer',
      Skill: `Sales${clearScreen}`,
      Comments: 'SENTINEL comment',
      AudioFile: 'https://recordings.example.com/SENTINEL.mp3',
      TransferredTo: ' -> SENTINEL Iyer',
      UUI: 'SENTINEL uui',
      Type: 'SENTINELType',
      HoldDuration: 'SENTINEL seconds',
      SENTINELField: 'SENTINEL extra',
    }),
    CampaignName: { k: 'SENTINEL campaign' },
    Disposition: { k: 'a -> SENTINEL -> b' },
  },
  demoCall(wholeCall, {
    CallerID: customer,
    AgentID: 'asha -> ravi',
    Status: 'NotAnswered',
    Comments: 'SENTINEL again',
  }),
];
const participant = {
  AgentName: 'SENTINEL Iyer',
  ParticipantNumber: '09876599999',
  ExitStatus: 'SENTINEL left',
  DialStatus: 'SENTINELDial',
  StartTime: '2026-11-21 10:00:30',
  UCID: wholeCall,
};

/**
 * A sandbox of which the account `demo` has two days of agents and some calls, at 09:00:20 UTC on the second day: one
 * agent has just come, of whom all is personal that can be.
 */
export const startReadingSandbox = async () => {
  const sandbox = await startSandbox({ port: 0, dynamodbPort: 0, providerPort: 0, traffic: false, polling: false });
  const { addresses } = sandbox;
  const client = new DynamoDBClient(localClient(addresses.dynamodb));
  const tableNames = { calls: 'callfeed-calls', agents: 'callfeed-agents', quarantine: 'callfeed-quarantine' };
  const centre = await pollTwoDays(
    { endpoint: addresses.dynamodb, client, tableNames, stop: async () => undefined },
    'demo',
  );
  centre.script({
    action: 'log-in',
    agentId: 'zoe',
    state: 'SENTINELState',
    name: 'SENTINEL Zoe',
    phoneNumber: '09876500000',
    skills: [`Sales${clearScreen}`],
  });
  await centre.poll('2026-11-22T09:00:15.000Z');

  for (const delivery of deliveries) await postCall(addresses.callbacks, [{ ...delivery }, participant]);
  for (let index = 0; index < 5; index += 1)
    await postCall(
      addresses.callbacks,
      demoCall(`71000000000000000${index}`, { StartTime: `2026-11-20 10:0${index}:00` }),
    );

  const clock = () => new Date('2026-11-22T09:00:20.000Z');
  return {
    addresses,
    /** Runs a command line against it. */
    at: (args: readonly string[], replaced: Partial<Context> = {}) =>
      cli([...args, '--endpoint', addresses.gateway], { clock, ...replaced }),
    /** The same deployment with an account more, of which nothing is known. */
    async withTwoAccounts(...where: Parameters<typeof connect>) {
      const deployment = await connect(...where);
      const { all } = await deployment.accounts();
      const other = { userName: 'other', timeZone: 'Europe/London', apiKeys: [], token: { kind: 'none' as const } };
      return { ...deployment, accounts: async () => accountIndex([...all, other]) };
    },
    /** The same deployment as it is when everybody has gone. */
    async withEmptyFloor(...where: Parameters<typeof connect>) {
      const deployment = await connect(...where);
      deployment.dynamodb.middlewareStack.add(
        (next) => async (args) => {
          const answer = await next(args);
          const { Items, ...rest } = Object(answer.output);
          return { ...answer, output: { ...rest, Items: Items.filter(({ sk }: Item) => sk?.S === 'feed') } };
        },
        { step: 'initialize' },
      );
      return deployment;
    },
    /** Whatever asks for the accounts fails. */
    async withoutSecret(...where: Parameters<typeof connect>) {
      const accounts = async () => {
        throw new Error('The secret is not to be read.');
      };
      return { ...(await connect(...where)), accounts };
    },
    async stop() {
      await centre.stop();
      client.destroy();
      await sandbox.stop();
    },
  };
};

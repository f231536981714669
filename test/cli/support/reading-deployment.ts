import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { type Reconciliation, reconciliationRow } from '../../../functions/reconcile-calls/reconciliation.ts';
import { accountIndex } from '../../../lib/accounts/account-index.ts';
import { pollTwoDays } from '../../support/polled-centre.ts';
import { demoCall } from '../../support/sandbox.ts';
import { cli, jsonLines, type Replaced } from './cli-run.ts';
import { account, startDeployment } from './local-deployment.ts';

type Item = Readonly<Record<string, AttributeValue>>;

/** Matches every personal name, number and word of these tests. */
export const sentinel = /SENTINEL|98765/;
export const customer = '09876512345';

/** A control sequence that a terminal would obey. */
const clearScreen = '\u001B[2J';

/** Ten minutes later, when no poll came meanwhile: what is known of the agents is old. */
export const later = { clock: () => new Date('2026-11-22T09:10:00.000Z') };

export const callWithAllFields = '700000000000000001';

const callRecord = (comments: string) => ({
  ...demoCall(callWithAllFields, { CallerID: customer, AgentID: 'asha -> ravi', Comments: comments }),
});

/** Two deliveries of one call, with every kind of personal field. */
export const personalDeliveries = [
  {
    ...callRecord('SENTINEL comment'),
    AgentName: 'SENTINEL Rao -> SENTINEL Iyer',
    Skill: `Sales${clearScreen}`,
    AudioFile: 'https://recordings.example.com/SENTINEL.mp3',
    TransferredTo: ' -> SENTINEL Iyer',
    UUI: 'SENTINEL uui',
    Type: 'SENTINELType7',
    HoldDuration: 'SENTINEL seconds',
    SENTINELField7: 'SENTINEL extra',
    CampaignName: { k: 'SENTINEL campaign' },
    Disposition: { k: 'a -> SENTINEL -> b' },
  },
  { ...callRecord('SENTINEL again'), Status: 'NotAnswered' },
];
export const personalParticipant = {
  AgentName: 'SENTINEL Iyer',
  ParticipantNumber: '09876599999',
  ExitStatus: 'SENTINEL left',
  DialStatus: 'Ringing_out',
  StartTime: '2026-11-21 10:00:30',
  UCID: callWithAllFields,
};

/**
 * A deployment whose account `demo` has two days of agents and some calls. It is 09:00:20 UTC on the second day, and one
 * agent has just logged in, with every kind of personal field.
 */
export const startReadingDeployment = async () => {
  const deployment = await startDeployment();
  const { connect, tables, queues } = deployment;
  const centre = await pollTwoDays(tables, 'demo');
  centre.script({
    action: 'log-in',
    agentId: 'zoe',
    state: 'SENTINELState7',
    name: 'SENTINEL Zoe',
    phoneNumber: '09876500000',
    skills: [`Sales${clearScreen}`],
  });
  await centre.poll('2026-11-22T09:00:15.000Z');

  for (const delivery of personalDeliveries) await deployment.post(delivery, personalParticipant);
  for (let index = 0; index < 5; index += 1)
    await deployment.post(demoCall(`71000000000000000${index}`, { StartTime: `2026-11-20 10:0${index}:00` }));

  const clock = () => new Date('2026-11-22T09:00:20.000Z');
  const at = (args: readonly string[], replaced: Replaced = {}) => cli(args, { clock, connect, ...replaced });
  return {
    connect,
    tables: tables.tableNames,
    queues,
    put: deployment.put,
    /** Runs a command line against it. */
    at,
    /** Runs it with `--json`. */
    json: async (args: readonly string[], replaced?: Replaced) => jsonLines(await at([...args, '--json'], replaced)),
    /** The same deployment with one account more, which was never polled. */
    async withTwoAccounts() {
      const connected = await connect();
      const other = { ...account, userName: 'other', timeZone: 'Europe/London' };
      return { ...connected, accounts: async () => accountIndex([account, other]) };
    },
    /** The same deployment where calls are reconciled, with what is stored of that. */
    async withReconciliation(state: Partial<Reconciliation>) {
      const connected = await connect();
      const none = { account: 'demo', version: 1, requests: [], access: 0, days: {} };
      await deployment.put('agents', reconciliationRow({ ...none, ...state }));
      return { ...connected, queues: { ...connected.queues, reconciliation: 'http://127.0.0.1:9' } };
    },
    /** The same deployment, with what the rows have about callbacks. */
    async withCallbacks(rows: {
      readonly lastReceivedAt: string | undefined;
      readonly silentSince: string | undefined;
      readonly heldUpAt?: string;
    }) {
      const connected = await connect();
      const attributes: Readonly<Record<string, object>> = {
        callbacks: { lastReceivedAt: rows.lastReceivedAt, heldUpAt: rows.heldUpAt },
        feed: { callbacksSilentSince: rows.silentSince },
      };
      connected.dynamodb.middlewareStack.add(
        (next) => async (args) => {
          const answer = await next(args);
          const more = attributes[Object(args.input).Key?.sk?.S ?? ''];
          const { Item, ...rest } = Object(answer.output);
          const Changed = { ...Item, ...marshall(more ?? {}, { removeUndefinedValues: true }) };
          return more === undefined ? answer : { ...answer, output: { ...rest, Item: Changed } };
        },
        { step: 'initialize' },
      );
      return connected;
    },
    /** The same deployment after everybody has logged out. */
    async withNobodyLoggedIn() {
      const connected = await connect();
      connected.dynamodb.middlewareStack.add(
        (next) => async (args) => {
          const answer = await next(args);
          const { Items, ...rest } = Object(answer.output);
          return { ...answer, output: { ...rest, Items: Items.filter(({ sk }: Item) => sk?.S === 'feed') } };
        },
        { step: 'initialize' },
      );
      return connected;
    },
    /** The same deployment, whose accounts' secret must not be read. */
    async withoutSecret() {
      const accounts = async () => {
        throw new Error('The secret must not be read.');
      };
      return { ...(await connect()), accounts };
    },
    async stop() {
      await centre.stop();
      await deployment.stop();
    },
  };
};

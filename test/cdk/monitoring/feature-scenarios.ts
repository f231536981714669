import { call } from '../../deployment/index.ts';
import { kolkataAccount } from '../../fixtures/accounts.ts';
import { type DeployedResources, type Run, recordedDeployment, scenariosOf } from './scenario.ts';

interface Forwarding {
  readonly minutes: number;
  /** From when to when the receiver accepts nothing, in minutes. */
  readonly down?: Minutes;
  /** From when to when forwarding cannot read the table. */
  readonly unreadable?: Minutes;
  /** From when to when nothing is taken from the queue. */
  readonly disabled?: Minutes;
  /** After how many minutes the account has no address any more. */
  readonly removedAfter?: number;
  /** For how many minutes the queue accepts nothing. */
  readonly queueDownMinutes?: number;
  /** Twenty calls are posted in each step, and the first attempt for one of them fails. */
  readonly isBusy?: boolean;
}

type Minutes = readonly [from: number, to: number];

const stepMinutes = 5;

/** Calls whose deliveries are forwarded, as deployed, with an outside receiver and a queue that may fail. */
const forwarding = async (deployed: DeployedResources, setting: Forwarding): Promise<Run> => {
  const { minutes, down, unreadable, disabled, queueDownMinutes = 0, removedAfter, isBusy = false } = setting;
  let minute = 0;
  let posts = 0;
  const isIn = ([from, to]: Minutes = [0, 0]) => minute >= from && minute < to;
  const { d, aws, run } = await recordedDeployment(deployed, {
    accounts: [{ ...kolkataAccount, forwardTo: ['https://old.example/callDetails'] }],
    receiver: async () => (isIn(down) || (isBusy && posts++ % 21 === 0) ? 'status 500' : undefined),
  });
  const startMs = Date.parse(d.now());
  const forward = async () => {
    if (minute < queueDownMinutes) await d.fail('sqs').during(() => d.forward());
    else if (isIn(unreadable)) await d.fail('dynamodb', { operation: 'Query' }).during(() => d.forward());
    else if (!isIn(disabled)) await d.forward();
  };
  const posted = call().byKey(kolkataAccount.apiKeys[0] ?? '');

  await d.post(posted);
  await d.settled();
  for (; minute < minutes; minute += stepMinutes) {
    if (minute === removedAfter) d.putAccounts([kolkataAccount]);
    for (let other = 0; isBusy && other < 20; other++) await d.post(posted.with({ monitorUCID: `${minute}${other}` }));
    await d.publish();
    await forward();
    const ageMs = minute < queueDownMinutes ? Date.parse(d.now()) - startMs : 0;
    aws('AWS/Lambda', 'IteratorAge', { FunctionName: 'ForwardDeliveriesServiceFunction.Ref' }, ageMs);
    // Lambda takes a message as soon as it is due, and one that pauses is not visible.
    const { waiting, dead } = d.forwarding();
    const queue = { QueueName: 'ForwardDeliveriesQueue.QueueName' };
    aws('AWS/SQS', 'ApproximateNumberOfMessagesVisible', queue, isIn(disabled) ? waiting : 0);
    aws('AWS/SQS', 'NumberOfMessagesReceived', queue, isIn(disabled) ? 0 : waiting);
    const deadLetters = { QueueName: 'ForwardDeliveriesDeadLetters.QueueName' };
    aws('AWS/SQS', 'ApproximateNumberOfMessagesVisible', deadLetters, dead);
    d.advance(stepMinutes * 60_000);
  }
  return run();
};

/** Scenarios in which deliveries are forwarded. */
export const forwarded = scenariosOf(forwarding);

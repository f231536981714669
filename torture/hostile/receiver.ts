import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { unmarshalled } from '../../functions/adapters/marshalling.ts';
import { callbackSecretHash } from '../../lib/callback/secret-hash.ts';
import type { Facts } from '../../lib/record/delivery.ts';
import { allPass } from '../world/fate.ts';
import { memoryDynamodb } from '../world/memory-dynamodb.ts';
import { worldTables } from '../world/memory-world.ts';
import { surround } from '../world/surround.ts';
import { accounts, callbackSecret } from './accounts.ts';
import { polluted } from './checks/prototypes.ts';

/** What the function answered, or what it threw. */
export type Answered = { readonly answer: unknown } | { readonly thrown: unknown };

/** What came of one request, or of several after each other. */
export interface Trial {
  /** What the function answered to each request. */
  readonly answers: readonly Answered[];
  readonly calls: readonly Facts[];
  readonly quarantine: readonly Facts[];
  /** How many messages were parked, where no table was ever down. */
  readonly parked: number;
  /** What was logged. */
  readonly lines: readonly string[];
  /** What was added to objects that all others share; gone again, as nothing can be judged with it. */
  readonly polluted: readonly string[];
  readonly cpuMicroseconds: number;
}

/** The receiver, to which one request after the other is made as if it were the first. */
export interface Receiver {
  readonly receive: (...events: readonly APIGatewayProxyEventV2[]) => Promise<Trial>;
}

const nothing = (): void => undefined;

/** The receiver as deployed, a warm process of it over tables that are empty before each trial. */
export const createReceiver = (deployment: 'open' | 'secret'): Receiver => {
  let lines: string[] = [];
  let tables = memoryDynamodb(worldTables, nothing);
  const world = surround((request) => tables.handle(request), {
    startedAt: '2026-11-20T06:00:00Z',
    accounts,
    onLine: (line) => lines.push(line),
    env: deployment === 'secret' ? { CALLBACK_SECRET_SHA256: callbackSecretHash(callbackSecret) } : {},
  });
  const instance = world.start(allPass);

  const answerOf = async (event: APIGatewayProxyEventV2): Promise<Answered> => {
    try {
      const outcome = await instance.receive(event);
      return outcome.kind === 'answered' ? { answer: outcome.answer } : { thrown: new Error('The process died') };
    } catch (thrown) {
      return { thrown };
    }
  };

  return {
    async receive(...events) {
      lines = [];
      tables = memoryDynamodb(worldTables, nothing);
      const before = process.threadCpuUsage();
      const answers: Answered[] = [];
      for (const event of events) answers.push(await answerOf(event));
      const { user, system } = process.threadCpuUsage(before);
      const found = polluted();
      const waiting = world.parking.messages();
      for (const { receipt } of world.parking.receive(waiting.length)) world.parking.remove(receipt ?? '');
      return {
        answers,
        calls: tables.items('calls').map(unmarshalled),
        quarantine: tables.items('quarantine').map(unmarshalled),
        parked: waiting.length,
        lines,
        polluted: found,
        cpuMicroseconds: user + system,
      };
    },
  };
};

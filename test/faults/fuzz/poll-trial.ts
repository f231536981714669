import type { SQSEvent } from 'aws-lambda';
import { unmarshalled } from '../../../functions/adapters/marshalling.ts';
import type { ServiceResponse } from '../../../lib/agents/parse-agent-logins.ts';
import type { Facts } from '../../../lib/core/objects.ts';
import { ok } from '../../../lib/core/result.ts';
import { memoryDynamodb } from '../../support/memory-dynamodb/memory-dynamodb.ts';
import { createEnvironment } from '../world/environment.ts';
import { noFault } from '../world/fault.ts';
import type { Instance } from '../world/instance.ts';
import { worldTables } from '../world/memory-world.ts';
import { accounts, tokens } from './accounts.ts';
import type { FuzzedAnswer, TokenKind } from './fuzzed-answer.ts';
import { written } from './json.ts';
import { answerOf, recordOf } from './mutate-answer.ts';
import { pollutedPrototypes } from './receiver.ts';

/** The rows of agents and their feed after each of three polls: a good answer, the hostile one, a good one again. */
export interface PollTrial {
  readonly rows: readonly [before: readonly Facts[], then: readonly Facts[], afterwards: readonly Facts[]];
  readonly thrown: readonly unknown[];
  readonly lines: readonly string[];
  /** What was added to objects that all others share. */
  readonly polluted: readonly string[];
  readonly cpuMicroseconds: number;
}

/** What is composed for a trial, if not the poller as deployed. */
export type PollOf = (instance: Instance) => (event: SQSEvent) => Promise<unknown>;

const tokenOf: Readonly<Record<TokenKind, object>> = {
  none: { kind: 'none' },
  // With its scheme, as some are configured; a service may repeat it without.
  static: { kind: 'static', value: `Bearer ${tokens.static}` },
  generate: { kind: 'generate' },
};

const slotMs = 15_000;
/** Longer than any refusal or `Retry-After` keeps it from asking. */
const longMs = 61 * 60_000;

/** Polls three times, with the hostile answer in the middle. */
export const pollTrial = async (
  { before, answer, isOfToken, token }: FuzzedAnswer,
  pollOf: PollOf = ({ poll }) => poll,
): Promise<PollTrial> => {
  const good: ServiceResponse = { status: 200, text: written(answerOf(before.map(recordOf))) };
  const goodToken: ServiceResponse = { status: 200, text: JSON.stringify({ token: tokens.generated }) };
  let isHostile = false;
  const lines: string[] = [];
  const tables = memoryDynamodb(worldTables, () => undefined);
  const [account] = accounts;
  const world = createEnvironment(tables.handle, {
    startedAt: '2026-11-20T06:00:00Z',
    accounts: [{ ...account, baseUrl: 'https://service.invalid', token: tokenOf[token] }],
    onLine: (line) => lines.push(line),
    telephony: {
      async post({ url }) {
        const isForToken = url.endsWith('/generateToken');
        if (isHostile && isForToken === isOfToken) return ok(answer);
        return ok(isForToken ? goodToken : good);
      },
    },
  });
  const poll = pollOf(world.start(noFault));
  const thrown: unknown[] = [];
  const pollution: string[] = [];
  const polled = async (): Promise<readonly Facts[]> => {
    const SentTimestamp = String(world.now().getTime());
    await poll({ Records: [{ attributes: { SentTimestamp } }] } as SQSEvent).catch((error: unknown) =>
      thrown.push(error),
    );
    pollution.push(...pollutedPrototypes());
    return tables.items('agents').map(unmarshalled);
  };

  const started = process.threadCpuUsage();
  const first = await polled();
  // A token is asked for again only once it has expired.
  world.advance(isOfToken && token === 'generate' ? longMs : slotMs);
  isHostile = true;
  const second = await polled();
  isHostile = false;
  world.advance(longMs);
  const third = await polled();
  const { user, system } = process.threadCpuUsage(started);
  return { rows: [first, second, third], thrown, lines, polluted: pollution, cpuMicroseconds: user + system };
};

import * as z from 'zod';
import { callsTable } from '../../lib/storage/tables.ts';
import { tableNames } from '../../sandbox/local-aws.ts';
import { example, justEnded } from '../examples.ts';
import { checkedMetering, createReceiver } from '../functions.ts';
import { memoryClient, memoryTables } from '../growth/threaded-tables.ts';
import type { RowWrite } from '../meter.ts';
import { commandMeter } from '../meter.ts';

/** A write to the calls' table, and whether its condition rejected it. */
export interface ObservedWrite {
  readonly write: RowWrite;
  readonly isRejected: boolean;
  readonly isTransaction: boolean;
}

const startMs = Date.parse('2040-01-02T06:00:00.000Z');

/** Ids that are recognised in keys. */
export const ids = {
  account: 'demo-0',
  call: '41781234567890120',
  customer: '09000000040',
  agent: 'asha-0',
  secondAgent: 'ravi-0',
};

/** The receiver of callbacks as deployed, over empty tables in memory. */
const observedReceiver = () => {
  const tables = memoryTables();
  const dynamodb = memoryClient(async (request) => tables.carry(request));
  const observed: ObservedWrite[] = [];
  const meter = commandMeter({ [tableNames.calls]: callsTable });
  let nowMs = startMs;

  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const { isTransaction, writes, apply } = meter(args.input);
      const observe = (isRejected: boolean): void => {
        observed.push(...writes.map((write) => ({ write, isRejected, isTransaction })));
      };

      const result = await next(args).catch((error: unknown) => {
        observe(true);
        throw error;
      });
      observe(false);
      apply();
      return result;
    },
    { step: 'initialize', name: 'observe' },
  );

  const metering = checkedMetering(dynamodb);
  const receive = createReceiver(metering, () => new Date(nowMs), tableNames, [ids.account]);
  /** Posts content. Resolves with the writes for it, in order. */
  return async (content: unknown): Promise<readonly ObservedWrite[]> => {
    nowMs += 1_000;
    await receive(JSON.stringify(content));
    metering.check('"quarantined":0,"parked":0');
    return observed.splice(0);
  };
};

export const callKinds = ['answered', 'transferred', 'missed'] as const;
export type CallKind = (typeof callKinds)[number];

/** The callbacks of a call: its summary, the same again, and the summary with a disposition. */
export const steps = ['first', 'repeated', 'revised'] as const;
export type Step = (typeof steps)[number];

const Posted = z.record(z.string(), z.unknown());

const parsed = (name: string): unknown => JSON.parse(justEnded(example(name), new Date(startMs)));

const answered = Posted.parse(parsed('call-summary'));
const missed = Posted.parse(parsed('missed-call'));
const [transferred, participant] = z.tuple([Posted, Posted]).parse(parsed('advanced-callback'));

/** The content of a callback. A missed call has no agent who could revise it. */
const callbackFor = (kind: CallKind, step: Step): unknown => {
  const { account, call, customer, agent, secondAgent } = ids;
  const ofCall = { Apikey: `${account}-key`, UserName: account, monitorUCID: call, CallerID: customer };
  const disposition = step === 'revised' && { Disposition: 'Sale' };
  if (kind === 'missed') return { ...missed, ...ofCall };
  if (kind === 'answered') return { ...answered, ...ofCall, ...disposition, AgentID: agent };

  const leg = { CallID: call, UCID: call };
  return [
    { ...transferred, ...ofCall, ...leg, ...disposition, AgentID: `${agent} -> ${secondAgent}` },
    { ...participant, UCID: call },
  ];
};

/** The writes of a callback. */
export interface ObservedCallback {
  readonly kind: CallKind;
  readonly step: Step;
  readonly writes: readonly ObservedWrite[];
}

/** Posts an example of every kind of call to the receiver, and observes its writes. */
export const observeCalls = async (): Promise<readonly ObservedCallback[]> => {
  const seen: ObservedCallback[] = [];
  for (const kind of callKinds) {
    const post = observedReceiver();
    for (const step of steps) seen.push({ kind, step, writes: await post(callbackFor(kind, step)) });
  }
  return seen;
};

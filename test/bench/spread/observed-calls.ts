import * as z from 'zod';
import { callsTable } from '../../../lib/schema/tables.ts';
import { tableNames } from '../../../sandbox/local-aws.ts';
import { checkedMetering, commandMeter } from '../costs/meter.ts';
import { createReceiver } from '../costs/metered-functions.ts';
import type { RowWrite } from '../costs/row-writes.ts';
import { example } from '../examples.ts';
import { memoryClient, memoryTables } from '../growth/threaded-tables.ts';

/** A write to the calls' table, and whether its condition rejected it. */
export interface ObservedWrite {
  readonly write: RowWrite;
  readonly isRejected: boolean;
  readonly isTransaction: boolean;
}

const startMs = Date.parse('2040-01-02T06:00:00.000Z');

/** The receiver of callbacks as deployed, for these accounts, over empty tables in memory. */
const observedReceiver = (userNames: readonly string[]) => {
  const tables = memoryTables();
  const dynamodb = memoryClient(async (request) => tables.carry(request));
  const observed: ObservedWrite[] = [];
  let meter = commandMeter({ [tableNames.calls]: callsTable });
  let nowMs = startMs;

  dynamodb.middlewareStack.add(
    (next) => async (args) => {
      const { kind, writes, apply } = meter(args.input);
      const observe = (isRejected: boolean): void => {
        const isTransaction = kind === 'transaction';
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
  const receive = createReceiver(metering, () => new Date(nowMs), tableNames, userNames);
  return {
    /** Posts content. Resolves with the writes for it, in order. */
    async post(content: unknown) {
      nowMs += 1_000;
      await receive(JSON.stringify(content));
      metering.check('"quarantined":0,"parked":0');
      return observed.splice(0);
    },
    reset() {
      tables.restore('empty');
      meter = commandMeter({ [tableNames.calls]: callsTable });
    },
  };
};

export type ObservedReceiver = ReturnType<typeof observedReceiver>;

export interface Ids {
  readonly account: string;
  readonly call: string;
  readonly customer: string;
  readonly agent: string;
  readonly secondAgent: string;
}

export const callKinds = ['answered', 'transferred', 'missed'] as const;
export type CallKind = (typeof callKinds)[number];

/** The callbacks of a call: its summary, the same again, and the summary with a disposition. */
export const steps = ['first', 'repeated', 'revised'] as const;
export type Step = (typeof steps)[number];

const Posted = z.record(z.string(), z.unknown());

const parsed = (name: string): unknown => JSON.parse(example(name));

const answered = Posted.parse(parsed('call-summary'));
const missed = Posted.parse(parsed('missed-call'));
const [transferred, participant] = z.tuple([Posted, Posted]).parse(parsed('advanced-callback'));

/** The content of a callback. A missed call has no agent who could revise it. */
const callbackFor = (kind: CallKind, step: Step, { account, call, customer, agent, secondAgent }: Ids): unknown => {
  const ids = { Apikey: `${account}-key`, UserName: account, monitorUCID: call, CallerID: customer };
  const disposition = step === 'revised' && { Disposition: 'Sale' };
  if (kind === 'missed') return { ...missed, ...ids };
  if (kind === 'answered') return { ...answered, ...ids, ...disposition, AgentID: agent };

  const leg = { CallID: call, UCID: call };
  return [
    { ...transferred, ...ids, ...leg, ...disposition, AgentID: `${agent} -> ${secondAgent}` },
    { ...participant, UCID: call },
  ];
};

/** All writes of a call, in order, with the callback that caused them. */
export type ObservedCall = readonly (ObservedWrite & { readonly step: Step })[];

/** Calls of one kind: a base, and others that differ from it in one thing only. */
export interface CallVariants {
  readonly callKind: CallKind;
  readonly base: ObservedCall;
  readonly others: ReadonlyMap<keyof Ids, readonly ObservedCall[]>;
}

const things = ['account', 'call', 'customer', 'agent', 'secondAgent'] as const satisfies readonly (keyof Ids)[];

/** So many values of a thing show whether a key contains it. */
const variants = [0, 1, 2];

const accountOf = (index: number): string => `demo-${index}`;

const idsOf = (index: number): Ids => ({
  account: accountOf(index),
  call: `4178123456789012${index}`,
  customer: `0900000004${index}`,
  agent: `asha-${index}`,
  secondAgent: `ravi-${index}`,
});

/** Posts examples of every kind of call to the receiver, and observes its writes. */
export const observeCalls = async (): Promise<readonly CallVariants[]> => {
  const receiver = observedReceiver(variants.map(accountOf));
  const compared: CallVariants[] = [];
  for (const kind of callKinds) compared.push(await observeVariants(receiver, kind));
  return compared;
};

const observeVariants = async (receiver: ObservedReceiver, kind: CallKind): Promise<CallVariants> => {
  const others = new Map<keyof Ids, readonly ObservedCall[]>();
  for (const thing of things) {
    const changed: ObservedCall[] = [];
    for (const index of variants.slice(1))
      changed.push(await observeCall(receiver, kind, { ...idsOf(0), [thing]: idsOf(index)[thing] }));
    others.set(thing, changed);
  }
  return { callKind: kind, base: await observeCall(receiver, kind, idsOf(0)), others };
};

const observeCall = async ({ post, reset }: ObservedReceiver, kind: CallKind, ids: Ids): Promise<ObservedCall> => {
  const written: ObservedCall[number][] = [];
  reset();
  for (const step of steps)
    written.push(...(await post(callbackFor(kind, step, ids))).map((seen) => ({ ...seen, step })));
  return written;
};

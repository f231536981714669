import * as z from 'zod';
import type { Facts } from '../../../lib/record/delivery.ts';
import type { Said } from './oracle.ts';

/** A row of a call or participant, read without the product's own reader. */
export interface CallRow {
  readonly name: string;
  readonly kind: 'call' | 'participant';
  readonly account: string;
  readonly callId: string;
  readonly part: string;
  readonly revision: number;
  readonly facts: Facts;
  readonly deliveries: readonly Said[];
  readonly row: Facts;
}

/** What a row has beside the facts, by the README. */
const beside = new Set([
  ...['pk', 'sk', 'kind', 'account', 'callId', 'leg', 'participantId', 'revision', 'version', 'recordedAt'],
  ...['firstReceivedAt', 'lastReceivedAt', 'expiresAt', 'deliveries', 'replayedAt'],
  ...['accountCalls', 'customerCalls', 'agentCalls', 'listedAt'],
]);

const Kept = z.object({
  kind: z.enum(['call', 'participant']),
  account: z.string(),
  callId: z.string(),
  leg: z.string().optional(),
  participantId: z.string().optional(),
  revision: z.int().positive(),
  deliveries: z.array(z.object({ id: z.string(), receivedAt: z.string(), differs: z.looseObject({}).optional() })),
});

/** Names a record for the reports, and to find what belongs to it. */
export const nameOf = (kind: string, account: string, callId: string, part: string): string =>
  `${kind} ${account} ${callId} ${part}`;

/** Reads a row. */
export const callRow = (row: Facts): CallRow => {
  const { kind, account, callId, leg, participantId, revision, deliveries } = Kept.parse(row);
  const part = String(kind === 'call' ? leg : participantId);
  const facts = Object.fromEntries(Object.entries(row).filter(([name]) => !beside.has(name)));
  const common = asReceived(facts);
  return {
    name: nameOf(kind, account, callId, part),
    ...{ kind, account, callId, part, revision, facts, row },
    deliveries: deliveries.map(({ id, receivedAt, differs }) => ({
      id,
      receivedAt,
      facts: Object.fromEntries(Object.entries({ ...common, ...differs }).filter(([, value]) => value !== null)),
    })),
  };
};

/** Without what was worked out, which no delivery said. */
const asReceived = ({ elapsedSeconds: _elapsed, notes, ...facts }: Facts): Facts => {
  const said = (Array.isArray(notes) ? notes : []).filter(({ reason }) => reason !== 'end-before-start');
  return said.length === 0 ? facts : { ...facts, notes: said };
};

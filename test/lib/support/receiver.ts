import type { Account } from '../../../lib/account/account.ts';
import type { Form } from '../../../lib/callback/form.ts';
import type { Posted } from '../../../lib/callback/open-envelope.ts';
import { type Callback, type ReceivePorts, receiveCallback } from '../../../lib/receive-callback.ts';
import { inTime } from '../../support/in-time.ts';
import { receivedAt } from './facts-of.ts';
import { fixedAccounts, memoryCallStore, memoryParking, memoryQuarantine, recordingTelemetry } from './ports.ts';

/** The receiver over memory, with what can be looked at afterwards. `replaced` stands in for ports that misbehave. */
export const memoryReceiver = (
  replaced: Partial<ReceivePorts> = {},
  accounts: { readonly live?: readonly Account[]; readonly rotated?: readonly Account[] } = {},
) => {
  const seen = {
    calls: memoryCallStore(),
    quarantine: memoryQuarantine(),
    parking: memoryParking(),
    accounts: fixedAccounts(accounts.live, accounts.rotated),
    telemetry: recordingTelemetry(),
  };
  const receive = receiveCallback({ ...seen, deadline: inTime, clock: () => new Date(receivedAt), ...replaced });

  return {
    ...seen,
    receive: async (callback: Posted & Partial<Callback>) => {
      const result = await receive({ secretProven: false, ...callback });
      return result.ok ? result.value : result.problem;
    },
    /** All that was kept, told or parked, as text. */
    everything: () =>
      JSON.stringify([seen.calls.records(), seen.quarantine.entries, seen.parking.bodies, seen.telemetry.counts]),
  };
};

/** A post as the specification has it: one form field `data` with JSON. */
export const formPost = (data: unknown, beside: Form = {}): Posted => ({
  content: { form: { data: typeof data === 'string' ? data : JSON.stringify(data), ...beside } },
  query: {},
});

/** The counts of a receipt. */
export const counts = (part: object) => ({ stored: 0, duplicates: 0, quarantined: 0, ...part });

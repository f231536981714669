import type { ReceivePorts } from '../../../lib/receive-callback.ts';
import { down } from '../../lib/support/ports.ts';
import { summaryWith } from '../../support/deliveries.ts';
import type { Happening } from './fault.ts';
import { type Around, receiving } from './runs/receiving.ts';

/** What is wrong with the world. */
export type Broken = (around: Around) => Partial<ReceivePorts>;

/** Posts come, and something may be broken. */
export const posted = (what: string, posts: readonly unknown[], broken?: Broken, everyMs?: number): Happening => ({
  what,
  cause: ({ deployment }) =>
    receiving({ deployment, posts, ...(broken && { broken }), ...(everyMs !== undefined && { everyMs }) }),
});

/** A call of its own. */
export const call = (id: number, fields: object = {}) => summaryWith({ monitorUCID: String(id), ...fields });

/** So many of them. */
export const calls = (count: number, fields?: object) =>
  Array.from({ length: count }, (_, index) => call(index + 1, fields));

/** What the service posts beside calls where that is switched on. */
export const screenPops = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ event: 'screenpop', ucid: index, Apikey: 'demo-key' }));

/** The table of calls is down. */
export const noTable: Broken = () => ({ calls: { record: down } });

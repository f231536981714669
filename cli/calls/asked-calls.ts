import * as z from 'zod';
import type { CallfeedClient, CallList, CallRange } from '../../client/index.ts';
import { ListedCall } from '../../lib/contract/rows.ts';
import { justBefore } from '../../lib/time/days.ts';
import { accountDay } from '../account-day.ts';
import type { Reader } from '../reader.ts';
import { ReaderOptions } from '../reader-options.ts';

const { status, type } = ListedCall.shape;

/** What was typed of a list of calls. */
export const AskedCalls = ReaderOptions.extend({
  day: z.string().optional(),
  timeZone: z.string().optional(),
  from: z.string().optional(),
  to: z.string().optional(),
  status,
  type,
  agent: z.string().optional(),
  customer: z.string().optional(),
  limit: z.int().optional(),
  cursor: z.string().optional(),
});
export type AskedCalls = z.infer<typeof AskedCalls>;

/** The words that a call may have. */
export const words = { status: status.unwrap().options, type: type.unwrap().options };

/** The list that is meant. */
export const askedList = async (reader: Reader, asked: AskedCalls, now: Date): Promise<CallList> =>
  listFor(reader.client, asked, await rangeOf(reader, asked, now));

const rangeOf = async (reader: Reader, { day, timeZone, from, to }: AskedCalls, now: Date): Promise<CallRange> => {
  if (day === undefined) return { from, to };
  const { start, end } = await accountDay(reader, { day, timeZone }, now);
  return { from: start, to: justBefore(end) };
};

const listFor = (client: CallfeedClient, { agent, customer }: AskedCalls, range: CallRange): CallList => {
  if (agent !== undefined) return client.callsOfAgent(agent, range);
  return customer === undefined ? client.calls(range) : client.callsOfCustomer(customer, range);
};

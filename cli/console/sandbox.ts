import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import { eventLine, parseBusEvent, patternFor, redactedEvent } from '../events/bus-event.ts';
import { sandboxEvents } from '../events/event-lines.ts';
import { Problem, problemOf } from '../problem.ts';
import type { ConsoleSettings } from './accounts.ts';

/** What the page may ask of a sandbox: an address of it, a method, and whether that belongs to the simulated service. */
const controls = {
  agents: { method: 'POST', path: '/_sandbox/agents', isSimulator: false },
  calls: { method: 'POST', path: '/_simulator/calls', isSimulator: true },
  'faults/dynamodb': { method: 'PUT', path: '/_sandbox/faults/dynamodb', isSimulator: false },
  'faults/eventbridge': { method: 'PUT', path: '/_sandbox/faults/eventbridge', isSimulator: false },
  'faults/queue': { method: 'PUT', path: '/_sandbox/faults/queue', isSimulator: false },
  'faults/provider': { method: 'PUT', path: '/_sandbox/faults/provider', isSimulator: false },
  'faults/callbacks': { method: 'PUT', path: '/_sandbox/faults/callbacks', isSimulator: false },
} as const;

export const ControlRequest = z.strictObject({
  control: z.enum(Object.keys(controls) as [keyof typeof controls]),
  body: z.record(z.string(), z.unknown()),
});
export type ControlRequest = z.infer<typeof ControlRequest>;

const Fault = z.object({ mode: z.string(), rate: z.number() });
const State = z.object({
  addresses: z.object({ provider: z.url() }),
  faults: z.record(z.string(), Fault),
  provider: z.record(z.string(), z.object({ requests: z.number(), maxPerMinute: z.number(), overLimit: z.number() })),
});
const Refusal = z.object({ message: z.string() });

const ask = async (address: string | URL, init: RequestInit = {}): Promise<unknown> => {
  const answer = await fetch(address, { ...init, signal: AbortSignal.timeout(10_000) }).catch(() => {
    throw new Problem('The sandbox does not answer.');
  });
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.ok) return body;
  const { message = `It answered ${answer.status}.` } = Refusal.safeParse(body).data ?? {};
  throw new Problem(`The sandbox rejected this: ${message}`, 2);
};

const stateOf = async (eventsAddress: string) => State.parse(await ask(new URL('/_sandbox', eventsAddress)));

export const sandboxFaults = async (eventsAddress: string) => ({ faults: (await stateOf(eventsAddress)).faults });

export type SandboxAnswer = Awaited<ReturnType<typeof sandboxFaults>>;

export const simulatedRequests = async (eventsAddress: string, account: string) =>
  (await stateOf(eventsAddress)).provider[account];

export const controlSandbox = async (eventsAddress: string, { control, body }: ControlRequest): Promise<unknown> => {
  const { method, path, isSimulator } = controls[control];
  const base = isSimulator ? (await stateOf(eventsAddress)).addresses.provider : eventsAddress;
  return await ask(new URL(path, base), { method, body: JSON.stringify(body) });
};

export interface EventMessage {
  readonly line: string;
  readonly event: ReturnType<typeof redactedEvent>;
  readonly pattern: string;
}

export const streamEvents = async (
  response: ServerResponse,
  address: string,
  { account: only, isPersonal }: Pick<ConsoleSettings, 'account' | 'isPersonal'>,
  closing: AbortSignal,
): Promise<void> => {
  const left = new AbortController();
  response.once('close', () => left.abort());
  const signal = AbortSignal.any([closing, left.signal]);
  response.flushHeaders();
  try {
    for await (const line of sandboxEvents(address, { follow: true, last: 200, signal })) {
      const event = parseBusEvent(line);
      if (event === undefined) continue;
      const { account } = event.detail;
      if (only !== undefined && account !== only) continue;
      const message: EventMessage = {
        line: eventLine(event),
        event: isPersonal ? event : redactedEvent(event),
        pattern: patternFor({ type: [event['detail-type']], account }),
      };
      if (!response.write(`data: ${JSON.stringify(message)}\n\n`)) await once(response, 'drain', { signal });
    }
  } catch (error) {
    // The page connects again by itself, and then says that nothing answers.
    if (!signal.aborted) response.write(`event: problem\ndata: ${JSON.stringify(problemOf(error).message)}\n\n`);
  }
  response.end();
};

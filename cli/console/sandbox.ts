import { Readable } from 'node:stream';
import * as z from 'zod';
import { eventText, parseBusEvent, patternFor, redactedEvent } from '../events/bus-event.ts';
import { sandboxEvents } from '../events/event-lines.ts';
import { Problem, problemOf } from '../frame/problem.ts';
import type { ConsoleSettings } from './accounts.ts';
import { StreamedAnswer } from './calls.ts';

const faultNames = ['dynamodb', 'eventbridge', 'queue', 'provider', 'callbacks'] as const;

/** What the page may ask of a sandbox. */
export const ControlRequest = z.strictObject({
  control: z.enum(['agents', 'calls', ...faultNames.map((name) => `faults/${name}` as const)]),
  body: z.record(z.string(), z.unknown()),
});
export type ControlRequest = z.infer<typeof ControlRequest>;

const Fault = z.object({ mode: z.string(), rate: z.number() });
const State = z.object({
  addresses: z.object({ provider: z.url() }),
  faults: z.record(z.string(), Fault),
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

export const controlSandbox = async (eventsAddress: string, { control, body }: ControlRequest): Promise<unknown> => {
  const isOfSimulator = control === 'calls';
  const base = isOfSimulator ? (await stateOf(eventsAddress)).addresses.provider : eventsAddress;
  const address = new URL(`${isOfSimulator ? '/_simulator' : '/_sandbox'}/${control}`, base);
  const method = control.startsWith('faults/') ? 'PUT' : 'POST';
  return await ask(address, { method, body: JSON.stringify(body) });
};

export interface EventMessage {
  readonly text: string;
  readonly event: ReturnType<typeof redactedEvent>;
  readonly pattern: string;
}

/** The events of a sandbox as server-sent events, until the signal. */
export const streamEvents = async (
  address: string,
  { account: only, isPersonal }: Pick<ConsoleSettings, 'account' | 'isPersonal'>,
  signal: AbortSignal,
): Promise<StreamedAnswer> => {
  async function* messages(): AsyncGenerator<string> {
    // A first comment, so that the page knows it is connected.
    yield ':\n\n';
    try {
      for await (const line of sandboxEvents(address, { follow: true, last: 200, signal })) {
        const event = parseBusEvent(line);
        if (event === undefined) continue;
        const { account } = event.detail;
        if (only !== undefined && account !== only) continue;
        const message: EventMessage = {
          text: eventText(event),
          event: isPersonal ? event : redactedEvent(event),
          pattern: patternFor({ type: [event['detail-type']], account }),
        };
        yield `data: ${JSON.stringify(message)}\n\n`;
      }
    } catch (error) {
      // The page connects again by itself, and then says that nothing answers.
      yield `event: problem\ndata: ${JSON.stringify(problemOf(error).message)}\n\n`;
    }
  }
  return new StreamedAnswer(Readable.from(messages()), { 'content-type': 'text/event-stream' });
};

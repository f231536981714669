import { Readable } from 'node:stream';
import * as z from 'zod';
import { tryParseJson } from '../../lib/core/json.ts';
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
const Faults = z.object({ faults: z.record(z.string(), Fault) });
const Provider = z.object({ addresses: z.object({ provider: z.url() }) });
const Refusal = z.object({ message: z.string() });

/** What is no answer of a sandbox, such as the page of a proxy, is no refusal either. */
const ask = async (address: string | URL, init: RequestInit = {}): Promise<unknown> => {
  const signal = AbortSignal.timeout(10_000);
  const { ok, status, body } = await fetch(address, { ...init, signal })
    // An answer that breaks off, or does not go on, is none.
    .then(async (answer) => ({ ok: answer.ok, status: answer.status, body: tryParseJson(await answer.text()) }))
    .catch(() => {
      throw new Problem('The sandbox does not answer.');
    });
  if (ok) return body;
  const refusal = Refusal.safeParse(body);
  throw refusal.success
    ? new Problem(`The sandbox rejected this: ${refusal.data.message}`, 2)
    : new Problem(`The sandbox answers with status ${status}, and does not say why.`);
};

/** What a sandbox says of itself, as far as it is asked for. */
export const readState = async <State>(eventsAddress: string, schema: z.ZodType<State>): Promise<State> => {
  const state = schema.safeParse(await ask(new URL('/_sandbox', eventsAddress)));
  if (!state.success) throw new Problem('What answers there is no sandbox of this version.');
  return state.data;
};

export const sandboxFaults = (eventsAddress: string) => readState(eventsAddress, Faults);

export const controlSandbox = async (eventsAddress: string, { control, body }: ControlRequest): Promise<unknown> => {
  const isOfSimulator = control === 'calls';
  const base = isOfSimulator ? (await readState(eventsAddress, Provider)).addresses.provider : eventsAddress;
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

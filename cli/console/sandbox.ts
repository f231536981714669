import * as z from 'zod';
import { Problem } from '../problem.ts';

const timeoutMs = 10_000;

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

export interface SandboxAnswer {
  readonly faults: Readonly<Record<string, z.infer<typeof Fault>>>;
}

const ask = async (address: string | URL, init: RequestInit = {}): Promise<unknown> => {
  const answer = await fetch(address, { ...init, signal: AbortSignal.timeout(timeoutMs) }).catch(() => {
    throw new Problem('The sandbox does not answer.');
  });
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.ok) return body;
  const { message } = z
    .object({ message: z.string() })
    .catch({ message: `It answered ${answer.status}.` })
    .parse(body);
  throw new Problem(`The sandbox rejected this: ${message}`, 2);
};

const stateOf = async (eventsAddress: string) => State.parse(await ask(new URL('/_sandbox', eventsAddress)));

export const sandboxFaults = async (eventsAddress: string): Promise<SandboxAnswer> => ({
  faults: (await stateOf(eventsAddress)).faults,
});

/** What the simulated service counted of an account; undefined if nothing is simulated. */
export const simulatedRequests = async (eventsAddress: string, account: string) =>
  (await stateOf(eventsAddress)).provider[account];

export const controlSandbox = async (eventsAddress: string, { control, body }: ControlRequest): Promise<unknown> => {
  const { method, path, isSimulator } = controls[control];
  const base = isSimulator ? (await stateOf(eventsAddress)).addresses.provider : eventsAddress;
  return await ask(new URL(path, base), { method, body: JSON.stringify(body) });
};

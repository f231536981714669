import { useState } from 'preact/hooks';
import type { ControlRequest, SandboxAnswer } from '../sandbox.ts';
import { ask, failureText, useLive } from './live.ts';
import { Select } from './parts.tsx';
import { states } from './words.ts';

/** What the simulated service calls a state. */
const sentStates: Readonly<Record<string, string>> = { 'in-call': 'INCALL' };
const sentState = (state: string): string => sentStates[state] ?? state.toUpperCase();

const shownStates = Object.keys(states).filter((name) => name !== 'unknown');

const serviceModes = ['none', 'throttle', 'error', 'timeout'];
const faults: Readonly<Record<string, readonly string[]>> = {
  provider: serviceModes,
  dynamodb: serviceModes,
  eventbridge: serviceModes,
  queue: serviceModes,
  callbacks: ['none', 'lose', 'poorer', 'both'],
};

const faultNames: Readonly<Record<string, string>> = {
  provider: 'polls',
  dynamodb: 'tables',
  eventbridge: 'bus',
  queue: 'queue',
  callbacks: 'callbacks',
};

const post = (request: ControlRequest): Promise<{ readonly answer: unknown }> =>
  ask('sandbox', { method: 'POST', body: JSON.stringify(request), headers: { 'content-type': 'application/json' } });

export const Controls = ({ account }: { readonly account: string }) => {
  const [outcome, setOutcome] = useState('');
  const [agentId, setAgentId] = useState('sam');
  const [state, setState] = useState('ready');
  const live = useLive<SandboxAnswer>('sandbox', 15);
  const run = (what: string, request: ControlRequest) => async () => {
    setOutcome(`${what} …`);
    try {
      await post(request);
      setOutcome(`${what}: done.`);
      live.refresh();
    } catch (error) {
      setOutcome(failureText(error));
    }
  };
  const agent = (action: string, details: Readonly<Record<string, unknown>> = {}): ControlRequest => ({
    control: 'agents',
    body: { action, agentId, account, ...details },
  });
  return (
    <details class="controls">
      <summary>Sandbox</summary>
      <div class="filters">
        <label>
          Agent <input value={agentId} onInput={(event) => setAgentId(event.currentTarget.value)} />
        </label>
        <button
          type="button"
          onClick={run(`Log ${agentId} in`, agent('log-in', { state: sentState(state), skills: ['Sales'] }))}
        >
          Log in
        </button>
        <Select label="State" value={state} options={shownStates} onPick={setState} />
        <button
          type="button"
          onClick={run(`Set ${agentId} to ${state}`, agent('set-state', { state: sentState(state) }))}
        >
          Set state
        </button>
        <button type="button" onClick={run(`Log ${agentId} out`, agent('log-out'))}>
          Log out
        </button>
      </div>
      <div class="filters">
        <button type="button" onClick={run('Post a call', { control: 'calls', body: { count: 1 } })}>
          Post a call
        </button>
        <button type="button" onClick={run('Lose a call', { control: 'calls', body: { count: 1, callbacks: 'none' } })}>
          Lose a call’s callbacks
        </button>
      </div>
      <div class="filters">
        Faults:
        {Object.entries(faults).map(([name, modes]) => (
          <label key={name} htmlFor={`fault-${name}`}>
            {faultNames[name]}{' '}
            <Select
              id={`fault-${name}`}
              value={live.value?.faults[name]?.mode ?? 'none'}
              options={modes}
              onPick={(mode) =>
                run(`Set the fault of ${faultNames[name]}`, {
                  control: `faults/${name}` as ControlRequest['control'],
                  body: { mode },
                })()
              }
            />
          </label>
        ))}
      </div>
      <p role="status" class="faint">
        {outcome === '' ? 'Agents follow with the next poll, within 15 seconds.' : outcome}
      </p>
    </details>
  );
};

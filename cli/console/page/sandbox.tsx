import { useState } from 'preact/hooks';
import { wordText } from '../../../lib/telephony/vocabularies.ts';
import type { ControlRequest } from '../sandbox.ts';
import { Select } from './fields.tsx';
import { ask, failureText, useLive } from './live.ts';
import { states } from './words.ts';

const sentState = (state: string): string => (state === 'in-call' ? 'INCALL' : state.toUpperCase());

const shownStates = states.filter((name) => name !== 'unknown').map((name) => [name, wordText(name)] as const);

const serviceModes = ['none', 'throttle', 'error', 'timeout'];

const faults = {
  provider: ['polls', serviceModes],
  dynamodb: ['tables', serviceModes],
  eventbridge: ['bus', serviceModes],
  queue: ['queue', serviceModes],
  callbacks: ['callbacks', ['none', 'lose', 'poorer', 'both']],
} as const;

const faultNames = Object.keys(faults) as (keyof typeof faults)[];

export const Controls = ({ account }: { readonly account: string }) => {
  const [outcome, setOutcome] = useState('Agents follow with the next poll, within 15 seconds.');
  const [agentId, setAgentId] = useState('sam');
  const [state, setState] = useState('ready');
  const live = useLive('sandbox', {}, 15);
  const run = async (what: string, control: ControlRequest['control'], body: ControlRequest['body']) => {
    setOutcome(`${what} …`);
    try {
      await ask('sandbox', {
        method: 'POST',
        body: JSON.stringify({ control, body }),
        headers: { 'content-type': 'application/json' },
      });
      setOutcome(`${what}: done.`);
      live.refresh();
    } catch (error) {
      setOutcome(failureText(error));
    }
  };
  const button = (text: string, ...asked: Parameters<typeof run>) => (
    <button type="button" onClick={() => run(...asked)}>
      {text}
    </button>
  );
  const agent = { agentId, account };
  const inState = { ...agent, state: sentState(state) };
  return (
    <details class="controls">
      <summary>Sandbox</summary>
      <div class="filters">
        <label>
          Agent <input value={agentId} onInput={(event) => setAgentId(event.currentTarget.value)} />
        </label>
        {button('Log in', `Log ${agentId} in`, 'agents', { action: 'log-in', ...inState, skills: ['Sales'] })}
        <Select label="State" value={state} options={shownStates} onPick={setState} />
        {button('Set state', `Set ${agentId} to ${wordText(state)}`, 'agents', { action: 'set-state', ...inState })}
        {button('Log out', `Log ${agentId} out`, 'agents', { action: 'log-out', ...agent })}
      </div>
      <div class="filters">
        {button('Post a call', 'Post a call', 'calls', { count: 1 })}
        {button('Lose a call’s callbacks', 'Lose a call', 'calls', { count: 1, callbacks: 'none' })}
      </div>
      <div class="filters">
        Faults:
        {faultNames.map((name) => {
          const [text, modes] = faults[name];
          return (
            <label key={name} htmlFor={`fault-${name}`}>
              {text}{' '}
              <Select
                id={`fault-${name}`}
                value={live.value?.faults[name]?.mode ?? 'none'}
                options={modes}
                onPick={(mode) => run(`Set the fault of ${text}`, `faults/${name}`, { mode })}
              />
            </label>
          );
        })}
      </div>
      <p role="status" class="faint">
        {outcome}
      </p>
    </details>
  );
};

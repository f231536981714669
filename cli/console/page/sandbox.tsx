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

type Run = (what: string, control: ControlRequest['control'], body: ControlRequest['body']) => Promise<void>;

interface ControlButtonProps extends ControlRequest {
  readonly text: string;
  /** What the button does, in words for its outcome. */
  readonly what: string;
  readonly run: Run;
}

const ControlButton = ({ text, what, control, body, run }: ControlButtonProps) => (
  <button type="button" onClick={() => run(what, control, body)}>
    {text}
  </button>
);

export const SandboxControls = ({ account }: { readonly account: string }) => {
  const [outcome, setOutcome] = useState('Agents follow with the next poll, within 15 seconds.');
  const [agentId, setAgentId] = useState('sam');
  const [state, setState] = useState('ready');
  const live = useLive('sandbox', {}, 15);
  const run: Run = async (what, control, body) => {
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
  const agent = { agentId, account };
  const inState = { ...agent, state: sentState(state) };
  return (
    <details class="controls">
      <summary>Sandbox</summary>
      <div class="filters">
        <label>
          Agent <input value={agentId} onInput={(event) => setAgentId(event.currentTarget.value)} />
        </label>
        <ControlButton
          text="Log in"
          what={`Log ${agentId} in`}
          control="agents"
          body={{ action: 'log-in', ...inState, skills: ['Sales'] }}
          run={run}
        />
        <Select label="State" value={state} options={shownStates} onPick={setState} />
        <ControlButton
          text="Set state"
          what={`Set ${agentId} to ${wordText(state)}`}
          control="agents"
          body={{ action: 'set-state', ...inState }}
          run={run}
        />
        <ControlButton
          text="Log out"
          what={`Log ${agentId} out`}
          control="agents"
          body={{ action: 'log-out', ...agent }}
          run={run}
        />
      </div>
      <div class="filters">
        <ControlButton text="Post a call" what="Post a call" control="calls" body={{ count: 1 }} run={run} />
        <ControlButton
          text="Lose a call’s callbacks"
          what="Lose a call"
          control="calls"
          body={{ count: 1, callbacks: 'none' }}
          run={run}
        />
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

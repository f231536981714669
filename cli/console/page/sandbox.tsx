import { useEffect, useMemo, useState } from 'preact/hooks';
import { wordText } from '../../../lib/telephony/vocabularies.ts';
import type { ControlRequest, EventMessage } from '../sandbox.ts';
import { useView } from './address.ts';
import { Choice, Select } from './fields.tsx';
import { ask, failureText, startedAnew, useLive } from './live.ts';
import { Copy, Empty, Faint, Time } from './parts.tsx';
import { commandOf, counted, states, valueText } from './words.ts';

const maxEvents = 500;

export const EventsView = () => (useView().isSandbox ? <LiveEvents /> : <Follow />);

const Follow = () => {
  const view = useView();
  const pattern = { source: ['callfeed'], detail: { account: [view.account] } };
  return (
    <>
      <h1>Events</h1>
      <Empty>
        EventBridge keeps no events, and the console changes nothing in a deployment: to follow events, somebody has to
        make a queue and a rule. This command makes both, shows what comes, and deletes them at Ctrl-C:
      </Empty>
      <Copy label="the command" text={commandOf(view, 'events', '--follow', '--account', view.account)} />
      <p>This rule selects every event of the account:</p>
      <Copy label="the rule" text={JSON.stringify(pattern, null, 2)} />
    </>
  );
};

const LiveEvents = () => {
  const { account, address } = useView();
  const [messages, setMessages] = useState<readonly EventMessage[]>([]);
  const [problem, setProblem] = useState<string>();
  const [open, setOpen] = useState<string>();
  useEffect(() => {
    const source = new EventSource('console/api/events');
    source.onmessage = ({ data }) => setMessages((before) => [JSON.parse(data), ...before.slice(0, maxEvents - 1)]);
    source.addEventListener('problem', ({ data }) => setProblem(JSON.parse(data)));
    source.onopen = () => {
      setMessages([]);
      setProblem(undefined);
    };
    // An answer that is no stream ends it for good.
    source.onerror = () =>
      setProblem(
        source.readyState === EventSource.CLOSED
          ? startedAnew
          : 'The console does not answer; the page tries again by itself.',
      );
    return () => source.close();
  }, []);

  const type = address.query['type'] ?? '';
  const ofAccount = messages.filter(({ event }) => event.detail.account === account);
  const types = new Set([...ofAccount.map(({ event }) => event['detail-type']).sort(), type]);
  types.delete('');
  const shown = ofAccount.filter(({ event }) => type === '' || event['detail-type'] === type);
  return (
    <>
      <h1 class="hidden">Events</h1>
      {problem !== undefined && (
        <p class="problem" role="alert">
          {problem}
        </p>
      )}
      <div class="filters">
        {/* By its id the key “/” finds it. */}
        <Choice id="search" name="type" label="Type of event" options={[['', 'every type'], ...types]} />
        <Faint>
          {counted(shown.length, 'event')}, newest first
          {messages.length === maxEvents && '; older ones have gone from the page'}
        </Faint>
      </div>
      {shown.length === 0 && (
        <Empty>
          No event {type !== '' && 'of this type '}yet. Each new call and each change of an agent makes one; “Sandbox”
          below makes both.
        </Empty>
      )}
      <ul class="events">
        {shown.map((message) => {
          const id = valueText(message.event['id']);
          return (
            <EventItem
              key={id}
              message={message}
              isOpen={open === id}
              onToggle={(isOpen) => setOpen(isOpen ? id : undefined)}
            />
          );
        })}
      </ul>
    </>
  );
};

interface EventProps {
  readonly message: EventMessage;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

/** An event never changes, so with each new one the hundreds below it need not be drawn again. */
const EventItem = ({ message, isOpen, onToggle }: EventProps) =>
  useMemo(() => {
    const { event, text, pattern } = message;
    return (
      <li class="item">
        <button type="button" class="event" aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
          <Time at={valueText(event['time'])} /> <b>{event['detail-type']}</b> <span>{text}</span>
        </button>
        {isOpen && (
          <div class="opened">
            <p>A rule with this pattern selects such events:</p>
            <Copy label="the rule" text={JSON.stringify(JSON.parse(pattern), null, 2)} />
            <pre>{JSON.stringify(event, null, 2)}</pre>
          </div>
        )}
      </li>
    );
  }, [message, isOpen]);

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

import { useEffect, useMemo, useState } from 'preact/hooks';
import type { EventMessage } from '../sandbox.ts';
import { useView } from './address.ts';
import { Choice } from './fields.tsx';
import { startedAnew } from './live.ts';
import { Copy, Empty, Faint, Time } from './parts.tsx';
import { commandOf, counted, valueText } from './words.ts';

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

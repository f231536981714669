import { Component } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { EventMessage } from '../sandbox.ts';
import { shownCommands } from './commands.ts';
import { replaceQuery, startedAnew } from './live.ts';
import { Alert, Copy, Empty, Select, Time, useView } from './parts.tsx';
import { valueText } from './words.ts';

const maxEvents = 500;
const batchMs = 250;

/** The events of a sandbox as they come; for a deployment, how to follow them. */
export const EventsView = () => (useView().isSandbox ? <LiveEvents /> : <Follow />);

const Follow = () => {
  const view = useView();
  return (
    <>
      <h1>Events</h1>
      <Empty>
        EventBridge keeps no events, and the console changes nothing in a deployment: to follow events, somebody has to
        make a queue and a rule. This command makes both, shows what comes, and deletes them at Ctrl-C:
      </Empty>
      <Copy label="the command" text={shownCommands(view).events()} />
      <p>This rule selects every event of the account:</p>
      <Copy
        label="the rule"
        text={JSON.stringify({ source: ['callfeed'], detail: { account: [view.account] } }, null, 2)}
      />
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
    let batch: EventMessage[] = [];
    // A burst of events is one change of the page.
    const timer = setInterval(() => {
      if (batch.length === 0) return;
      const added = batch.reverse();
      batch = [];
      setMessages((before) => [...added, ...before].slice(0, maxEvents));
    }, batchMs);
    source.onmessage = ({ data }) => batch.push(JSON.parse(data));
    source.addEventListener('problem', ({ data }) => setProblem(JSON.parse(data)));
    source.onopen = () => {
      batch = [];
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
    return () => {
      clearInterval(timer);
      source.close();
    };
  }, []);

  const type = address.query['type'] ?? '';
  const ofAccount = messages.filter(({ event }) => event.detail.account === account);
  const types = [...new Set(ofAccount.map(({ event }) => event['detail-type']))].sort();
  const shown = ofAccount.filter(({ event }) => type === '' || event['detail-type'] === type);
  return (
    <>
      <h1 class="hidden">Events</h1>
      <Alert text={problem} />
      <div class="filters">
        <Select
          id="search"
          label="Type of event"
          value={type}
          options={[['', 'every type'], ...new Set([...types, ...(type === '' ? [] : [type])])]}
          onPick={(chosen) => replaceQuery(address, { type: chosen })}
        />
        <span class="faint">
          {shown.length} events, newest first
          {messages.length === maxEvents ? '; older ones have gone from the page' : ''}
        </span>
      </div>
      {shown.length === 0 && (
        <Empty>
          No event {type === '' ? '' : 'of this type '}yet. Each new call and each change of an agent makes one;
          “Sandbox” below makes both.
        </Empty>
      )}
      <ul class="events">
        {shown.map((message) => (
          <Event
            key={keyOf(message)}
            message={message}
            isOpen={open === keyOf(message)}
            onToggle={(isOpen) => setOpen(isOpen ? keyOf(message) : undefined)}
          />
        ))}
      </ul>
    </>
  );
};

const keyOf = ({ event }: EventMessage): string => valueText(event['id']);

interface EventProps {
  readonly message: EventMessage;
  readonly isOpen: boolean;
  readonly onToggle: (isOpen: boolean) => void;
}

/** An event never changes, so with each new one the hundreds below it need not be drawn again. */
class Event extends Component<EventProps> {
  override shouldComponentUpdate({ message, isOpen }: EventProps): boolean {
    return message !== this.props.message || isOpen !== this.props.isOpen;
  }

  override render({ message: { event, line, pattern }, isOpen, onToggle }: EventProps) {
    const at = valueText(event['time']);
    // The line begins with time, account and type, which have columns of their own.
    const rest = line.split(/ {2,}/).slice(3).join('  ');
    return (
      <li class="item">
        <button type="button" class="event" aria-expanded={isOpen} onClick={() => onToggle(!isOpen)}>
          <Time at={at} /> <b>{event['detail-type']}</b> <span>{rest}</span>
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
  }
}

import type { ComponentChildren } from 'preact';
import { wordText } from '../../../lib/telephony/vocabularies.ts';
import { useView } from './address.ts';
import { hashOf, rangeQuery } from './hash.ts';
import type { Live } from './live.ts';
import { commandOf, dayText, hidden, styleOf, timeText } from './words.ts';

interface LinkProps {
  readonly view: string;
  readonly id?: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly title?: string;
  readonly children: ComponentChildren;
}

export const Link = ({ view, id, query, title, children }: LinkProps) => {
  const { account } = useView().address.query;
  return (
    <a href={hashOf(view, id, { account, ...query })} title={title}>
      {children}
    </a>
  );
};

export const Mark = ({ state }: { readonly state: string }) => {
  const { letter, fill, ink } = styleOf(state);
  return (
    <span class="mark" style={{ background: fill, color: ink }} title={wordText(state)} aria-hidden="true">
      {letter}
    </span>
  );
};

export const Faint = ({ title, children }: { readonly title?: string; readonly children: ComponentChildren }) => (
  <span class="faint" title={title}>
    {children}
  </span>
);

export const Personal = ({ value }: { readonly value: string | undefined }) => {
  if (value === undefined) return <Faint>–</Faint>;
  return value === hidden ? <Faint title="Start the console with --personal to see it.">hidden</Faint> : value;
};

interface CallerProps {
  /** As it was sent. */
  readonly number: string | undefined;
  /** As people read it, where it is surely one number. */
  readonly text?: string | undefined;
}

export const Caller = ({ number, text = number }: CallerProps) =>
  number === undefined || number === hidden ? (
    <Personal value={number} />
  ) : (
    <span class={text === number ? undefined : 'caller'}>
      <Link view="customer" id={number} title={`As it was sent: ${number}`}>
        {text}
      </Link>
    </span>
  );

/** Views whose address says of which days their calls are. */
const viewsOfRange = ['calls', 'agent'];

interface CallsOfProps {
  /** The filter, and its text. */
  readonly name: 'skill' | 'campaign';
  readonly text: string | undefined;
  /** The instant of the call that has it. */
  readonly at?: string | undefined;
}

/** A skill or a campaign that opens its calls: of the range of the list, else of the call's day. */
export const CallsOf = ({ name, text, at }: CallsOfProps) => {
  const { address, timeZone } = useView();
  if (text === undefined) return <>–</>;
  const isOfRange = at === undefined || viewsOfRange.includes(address.view);
  const range = isOfRange ? rangeQuery(address) : { day: dayText(at, timeZone) };
  return (
    <Link view="calls" query={{ ...range, [name]: text }}>
      {text}
    </Link>
  );
};

/** Skills that open their calls. */
export const Skills = ({ names = [] }: { readonly names: readonly string[] | undefined }) =>
  names.length === 0
    ? '–'
    : names.map((name, index) => (
        <span key={name}>
          {index > 0 && ', '}
          <CallsOf name="skill" text={name} />
        </span>
      ));

interface AgentsProps {
  readonly ids: readonly string[] | undefined;
  /** The instant of the call that they had. */
  readonly at: string | undefined;
}

/** Agents who open their pages: the day of the call. */
export const Agents = ({ ids = [], at }: AgentsProps) => {
  const { at: moment, timeZone } = useView();
  if (ids.length === 0) return <>–</>;
  const query = moment === undefined ? { day: at && dayText(at, timeZone) } : { at: moment };
  return ids.map((id, index) => (
    <span key={id}>
      {index > 0 && ', '}
      <Link view="agent" id={id} query={query}>
        {id}
      </Link>
    </span>
  ));
};

/** A link to a web address, named by it or by `text`. Anything else that was posted as one is text. */
export const WebLink = ({ url, text = url }: { readonly url: string; readonly text?: string }) =>
  /^https?:\/\//i.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer noopener">
      {text}
    </a>
  ) : (
    <Personal value={url} />
  );

export const Time = ({ at, day = false }: { readonly at: string; readonly day?: boolean }) => {
  const { timeZone } = useView();
  return (
    <time dateTime={at} title={`${at} (UTC)`}>
      {day && `${dayText(at, timeZone)} `}
      {timeText(at, timeZone)}
    </time>
  );
};

export const State = ({ state }: { readonly state: string }) => (
  <>
    <Mark state={state} /> {wordText(state)}
  </>
);

/** What failed and since when, above what the page still shows; or a skeleton while the first answer takes its time. */
export const Loading = ({ live, what }: { readonly live: Live<unknown>; readonly what: string }) => {
  if (live.problem?.isRefusal)
    return (
      <p class="empty" role="alert">
        {live.problem.message}
      </p>
    );
  if (live.problem !== undefined)
    return (
      <p class="problem" role="alert">
        {what} could not be read since {new Date(live.problem.since).toLocaleTimeString('en-GB')} (time of this
        computer). {live.problem.message}
        {live.value !== undefined && ' Shown is what was read last.'}{' '}
        <button type="button" onClick={live.refresh}>
          Try again
        </button>
      </p>
    );
  return live.value === undefined && live.isSlow ? (
    <p class="skeleton" aria-busy="true">
      Reading {what.toLowerCase()} …
    </p>
  ) : null;
};

export const Empty = ({ children }: { readonly children: ComponentChildren }) => <p class="empty">{children}</p>;

/** The command that shows the same, where there is one. */
export const InTerminal = ({ words }: { readonly words: readonly string[] | undefined }) => {
  const view = useView();
  if (words === undefined) return null;
  return (
    <p class="faint">
      The same in a terminal: <code class="command">{commandOf(view, ...words)}</code>
    </p>
  );
};

export const Copy = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <div class="copy">
    <pre>{text}</pre>
    <button type="button" onClick={() => navigator.clipboard.writeText(text)} aria-label={`Copy ${label}`}>
      Copy
    </button>
  </div>
);

import type { ComponentChildren } from 'preact';
import { wordText } from '../../../lib/telephony/vocabularies.ts';
import { useView } from './address.ts';
import { hashOf } from './hash.ts';
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

export const Caller = ({ number }: { readonly number: string | undefined }) =>
  number === undefined || number === hidden ? (
    <Personal value={number} />
  ) : (
    <Link view="customer" id={number}>
      {number}
    </Link>
  );

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

import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import type { About } from '../accounts.ts';
import type { FeedAnswer } from '../floor.ts';
import { type Address, hashOf, type Live, serverNow } from './live.ts';
import { dayText, hidden, stateName, styleOf, timeText } from './words.ts';

export interface View extends Pick<About, 'isPersonal' | 'isSandbox' | 'isArchiving' | 'commandOptions'> {
  readonly address: Address;
  readonly account: string;
  readonly timeZone: string;
  readonly at: string | undefined;
  readonly onFeed: (feed: FeedAnswer) => void;
}

export const ViewContext = createContext<View | undefined>(undefined);

export const useView = (): View => {
  const view = useContext(ViewContext);
  if (view === undefined) throw new Error('There is no view.');
  return view;
};

export const useFeed = (feed: FeedAnswer | undefined): void => {
  const { onFeed } = useView();
  useEffect(() => {
    if (feed !== undefined) onFeed(feed);
  }, [feed]);
};

interface LinkProps {
  readonly view: string;
  readonly id?: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly children: ComponentChildren;
}

export const Link = ({ view, id, query, children }: LinkProps) => {
  const { account } = useView().address.query;
  return <a href={hashOf(view, id, { account, ...query })}>{children}</a>;
};

export const Mark = ({ state }: { readonly state: string }) => {
  const { letter, fill, ink } = styleOf(state);
  return (
    <span class="mark" style={{ background: fill, color: ink }} title={stateName(state)} aria-hidden="true">
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
    <Mark state={state} /> {stateName(state)}
  </>
);

interface HeadsProps {
  readonly names: readonly string[];
  readonly figures?: readonly string[];
}

export const Heads = ({ names, figures = [] }: HeadsProps) => (
  <thead>
    <tr>
      {names.map((name) => (
        <th key={name} scope="col" class={figures.includes(name) ? 'number' : undefined}>
          {name}
        </th>
      ))}
    </tr>
  </thead>
);

interface TableProps extends HeadsProps {
  readonly class?: string;
  readonly rows: readonly (readonly [head: ComponentChildren, ...cells: ComponentChildren[]])[];
}

export const Table = ({ names, figures = [], rows, ...props }: TableProps) => (
  <table class={props.class}>
    <Heads names={names} figures={figures} />
    <tbody>
      {rows.map(([head, ...cells], row) => (
        <tr key={row}>
          <th scope="row">{head}</th>
          {cells.map((cell, index) => (
            <td key={index} class={figures.includes(names[index + 1] ?? '') ? 'number' : undefined}>
              {cell}
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  </table>
);

/** Places spans, in milliseconds, on a bar from one moment to another; none is narrower than `least` per cent. */
export const placeOn =
  ([from, to]: readonly [from: number, to: number], least: number) =>
  (start: number, end: number) => {
    const percent = (ms: number) => (ms / (to - from)) * 100;
    return { left: `${percent(start - from)}%`, width: `${Math.max(least, percent(end - start))}%` };
  };

export const Scale = ({ from, to }: { readonly from: string; readonly to: string }) => (
  <p class="faint scale">
    <span>{from}</span>
    <span>{to}</span>
  </p>
);

export interface SelectProps {
  /** What it is for; without it a label around it says so. */
  readonly label?: string;
  readonly id?: string;
  readonly value: string;
  readonly options: readonly (string | readonly [word: string, text: string])[];
  readonly onPick: (value: string) => void;
}

export const Select = ({ label, id, value, options, onPick }: SelectProps) => (
  <select id={id} aria-label={label} value={value} onChange={({ currentTarget }) => onPick(currentTarget.value)}>
    {options.map((option) => {
      const [word, text] = typeof option === 'string' ? [option, option] : option;
      return (
        <option key={word} value={word}>
          {text}
        </option>
      );
    })}
  </select>
);

/** What failed and since when, above what the page still shows; or a skeleton while the first answer takes its time. */
export const Loading = ({ live, what }: { readonly live: Live<unknown>; readonly what: string }) => {
  if (live.problem !== undefined)
    return (
      <p class="problem" role="alert">
        {what} cannot be read since {new Date(live.problem.since).toLocaleTimeString('en-GB')} (time of this computer).{' '}
        {live.problem.message}
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

export const troubleText = ({ text, since }: NonNullable<FeedAnswer['problem']>, timeZone: string): string => {
  if (since === undefined) return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
  const day = dayText(since, timeZone);
  const isToday = day === dayText(serverNow(), timeZone);
  return `Since ${isToday ? '' : `${day} `}${timeText(since, timeZone)} ${text}.`;
};

export const Alert = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p class="problem" role="alert">
      {text}
    </p>
  );

export const Empty = ({ children }: { readonly children: ComponentChildren }) => <p class="empty">{children}</p>;

export const Copy = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <div class="copy">
    <pre>{text}</pre>
    <button type="button" onClick={() => navigator.clipboard.writeText(text)} aria-label={`Copy ${label}`}>
      Copy
    </button>
  </div>
);

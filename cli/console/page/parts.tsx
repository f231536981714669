import type { ComponentChildren, CSSProperties, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { wordText } from '../../../lib/telephony/vocabularies.ts';
import type { Answers } from '../api.ts';
import { hashOf, replaceQuery } from './address.ts';
import { type Live, serverNow } from './live.ts';
import { useView } from './view.ts';
import { dayText, hidden, styleOf, timeText } from './words.ts';

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

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => ComponentChildren;
  readonly isFigure?: boolean;
  /** Its head is then a button, which sorts the rows by it, the largest first. */
  readonly sortBy?: (row: Row) => number;
}

interface TableProps<Row> {
  readonly class?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf?: (row: Row) => string;
  /** The classes of rows that can be opened: on a small screen each is a card. */
  readonly itemOf?: (row: Row) => string;
  /** How many rows are before and after these, which are out of sight. */
  readonly window?: { readonly before: number; readonly after: number; readonly rowHeight: number };
}

const Cell = ({ isHead, ...props }: JSX.IntrinsicElements['td'] & { readonly isHead: boolean }) =>
  isHead ? <th {...props} scope="row" /> : <td {...props} />;

export const Table = <Row,>({ columns, rows, keyOf, itemOf, window, ...props }: TableProps<Row>) => {
  const [sorted, setSorted] = useState<string>();
  const { sortBy } = columns.find(({ name }) => name === sorted) ?? {};
  const shown = sortBy === undefined ? rows : rows.toSorted((a, b) => sortBy(b) - sortBy(a));
  const { before = 0, after = 0, rowHeight = 0 } = window ?? {};
  const space = (count: number) => count > 0 && <tr style={{ height: `${count * rowHeight}px` }} class="space" />;
  const classOf = ({ isFigure = false }: Column<Row>) => (isFigure ? 'number' : undefined);
  return (
    <table class={props.class} aria-rowcount={window && before + rows.length + after + 1}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th
              key={column.name}
              scope="col"
              class={classOf(column)}
              aria-sort={sorted === column.name ? 'descending' : undefined}
            >
              {column.sortBy === undefined ? (
                column.name
              ) : (
                <button type="button" onClick={() => setSorted(sorted === column.name ? undefined : column.name)}>
                  {column.name}
                </button>
              )}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {space(before)}
        {shown.map((row, index) => (
          <tr key={keyOf?.(row) ?? index} class={itemOf?.(row)} aria-rowindex={window && before + index + 2}>
            {columns.map((column, place) => (
              <Cell
                key={column.name}
                isHead={place === 0 && itemOf === undefined}
                class={classOf(column)}
                data-label={column.name}
              >
                {column.cell(row)}
              </Cell>
            ))}
          </tr>
        ))}
        {space(after)}
      </tbody>
    </table>
  );
};

interface Span {
  readonly from: number;
  readonly to: number;
  readonly title: string;
  readonly text?: ComponentChildren;
  readonly class?: string | undefined;
  readonly style?: CSSProperties;
  readonly href?: string;
}

interface TrackProps {
  readonly range: readonly [from: number, to: number];
  readonly spans: readonly Span[];
  /** The least width of a span, in per cent. */
  readonly least: number;
  readonly class?: string;
  /** Says all of it where it is no more than a picture. */
  readonly label?: string;
}

/** Spans of time, in milliseconds, at their places in a range. */
export const Track = ({ range: [begin, end], spans, least, label, ...props }: TrackProps) => {
  const percent = (ms: number) => (ms / (end - begin)) * 100;
  return (
    <div class={`track ${props.class ?? ''}`} {...(label !== undefined && { role: 'img', 'aria-label': label })}>
      {spans.map(({ from, to, title, text, style, href, ...span }) => {
        const Tag = href === undefined ? 'i' : 'a';
        const place = { left: `${percent(from - begin)}%`, width: `${Math.max(least, percent(to - from))}%` };
        return (
          <Tag
            key={`${span.class} ${from}`}
            href={href}
            class={span.class}
            title={title}
            style={{ ...style, ...place }}
          >
            {text}
          </Tag>
        );
      })}
    </div>
  );
};

export const Scale = ({ from, to }: { readonly from: string; readonly to: string }) => (
  <p class="faint scale">
    <span>{from}</span>
    <span>{to}</span>
  </p>
);

interface SelectProps {
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

interface ChoiceProps extends Pick<SelectProps, 'id' | 'label' | 'options'> {
  /** The parameter of the address that holds what is chosen. */
  readonly name: string;
  readonly fallback?: string;
}

export const Choice = ({ name, fallback = '', ...props }: ChoiceProps) => {
  const { address } = useView();
  const pick = (value: string) => replaceQuery(address, { [name]: value });
  return <Select {...props} value={address.query[name] ?? fallback} onPick={pick} />;
};

interface NumberProps {
  readonly before: string;
  readonly after?: string;
  readonly value: string | number | undefined;
  readonly min: number;
  readonly max: number;
  readonly onPick: (value: string) => void;
}

/** A field for a whole number. Anything else that is typed stays in it, with what is allowed beside it. */
export const NumberInput = ({ before, after = '', value, min, max, onPick }: NumberProps) => {
  const [wrong, setWrong] = useState<string>();
  useEffect(() => setWrong(undefined), [value]);
  const changed = ({ value: typed, validity }: HTMLInputElement) => {
    setWrong(validity.valid ? undefined : typed);
    if (validity.valid) onPick(typed);
  };
  return (
    <span>
      <label>
        {before}{' '}
        <input
          type="number"
          {...{ min, max }}
          value={wrong ?? value}
          aria-invalid={wrong !== undefined}
          onChange={({ currentTarget }) => changed(currentTarget)}
        />{' '}
        {after}
      </label>
      {wrong !== undefined && <b role="alert"> a whole number from {`${min} to ${max.toLocaleString('en-GB')}`}</b>}
    </span>
  );
};

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

export const troubleText = ({ text, since }: NonNullable<Answers['feed']['problem']>, timeZone: string): string => {
  if (since === undefined) return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
  const day = dayText(since, timeZone);
  const isToday = day === dayText(serverNow(), timeZone);
  return `Since ${isToday ? '' : `${day} `}${timeText(since, timeZone)} ${text}.`;
};

export const Empty = ({ children }: { readonly children: ComponentChildren }) => <p class="empty">{children}</p>;

export const Copy = ({ text, label }: { readonly text: string; readonly label: string }) => (
  <div class="copy">
    <pre>{text}</pre>
    <button type="button" onClick={() => navigator.clipboard.writeText(text)} aria-label={`Copy ${label}`}>
      Copy
    </button>
  </div>
);

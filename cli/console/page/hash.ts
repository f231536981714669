import { type AskedCalls, instantIn } from '../call-range.ts';
import { dayText } from './words.ts';

export type PageQuery = Readonly<Record<string, string | undefined>>;

/** Where the page is: a view, what it is about, and its settings. The address holds all of it, so it can be sent. */
export interface Address {
  readonly view: string;
  readonly id: string | undefined;
  readonly query: Readonly<Record<string, string>>;
}

/** A `+` that is no blank: without it the number would be one of the account's country. */
const rawPlus = /(?<=(?:^|&)customer=)\+(?=\d)/;

/** The address behind a `#`. What is no instant, such as one that was cut off in copying, is left out. */
export const addressOf = (hash: string): Address => {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const [view = '', ...rest] = path.split('/');
  const instants = view === 'calls' ? ['at', 'from', 'to'] : ['at'];
  const settings = [...new URLSearchParams(search.replace(rawPlus, '%2B'))].flatMap(([name, text]) => {
    // An address of version 1.0.0 has it as a status.
    if (view === 'calls' && name === 'status' && text === 'missed') return given(['counted', text]);
    return given([name, instants.includes(name) ? instantIn(text) : text]);
  });
  return {
    view: view === '' ? 'floor' : view,
    id: rest.length === 0 ? undefined : decoded(rest.join('/')),
    query: Object.fromEntries(settings),
  };
};

/** Somebody may have typed a `%` that encodes nothing. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const searchOf = (query: PageQuery): string =>
  new URLSearchParams(Object.entries(query).flatMap(given)).toString();

const given = ([name, value]: readonly [string, string | undefined]): readonly [string, string][] =>
  value ? [[name, value]] : [];

export const hashOf = (view: string, id?: string, query: PageQuery = {}): string => {
  const search = searchOf(query);
  return `#/${view}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${search === '' ? '' : `?${search}`}`;
};

/** The day that an address asks for: its own, else the day of its first instant or its moment, else today. */
export const dayAsked = ({ query: { day, from, at } }: Pick<Address, 'query'>, timeZone: string): string => {
  const instant = from ?? at;
  return day ?? (instant === undefined ? 'today' : dayText(instant, timeZone));
};

/** The part of an address that says of which days it is, for a link to others of the same time. */
export const rangeQuery = ({ query: { day, from, to, at } }: Pick<Address, 'query'>): PageQuery => ({
  day,
  from,
  to,
  at,
});

/** The calls that an address asks for, by the day and the range of its list. */
export const callsAsked = (address: Pick<Address, 'query'>, timeZone: string): AskedCalls => {
  const { from, to, at } = address.query;
  const day = dayAsked(address, timeZone);
  return from === undefined ? { day, at } : { day, from, to, at };
};

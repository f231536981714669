import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { Answers } from '../api.ts';
import { dayText } from './words.ts';

export type Query = Readonly<Record<string, string | undefined>>;

/** Where the page is: a view, what it is about, and its settings. The address holds all of it, so it can be sent. */
export interface Address {
  readonly view: string;
  readonly id: string | undefined;
  readonly query: Readonly<Record<string, string>>;
}

const addressOf = (hash: string): Address => {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const [view = '', ...rest] = path.split('/');
  const instants = view === 'calls' ? ['at', 'from', 'to'] : ['at'];
  const settings = [...new URLSearchParams(search)].flatMap(([name, text]) => {
    // An address of version 1.0.0 has it as a status.
    if (view === 'calls' && name === 'status' && text === 'missed') return [['counted', text]];
    const value = instants.includes(name) ? momentOf(text) : text;
    return value === undefined ? [] : [[name, value]];
  });
  return {
    view: view === '' ? 'floor' : view,
    id: rest.length === 0 ? undefined : decoded(rest.join('/')),
    query: Object.fromEntries(settings),
  };
};

/** An instant with its zone, as the page itself writes it. Anything else, such as one that was cut off in copying, is no moment. */
const momentOf = (text: string): string | undefined => {
  const isInstant = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/.test(text);
  const ms = isInstant ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
};

/** Somebody may have typed a `%` that encodes nothing. */
const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const searchOf = (query: Query): string =>
  new URLSearchParams(Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []))).toString();

export const hashOf = (view: string, id?: string, query: Query = {}): string => {
  const search = searchOf(query);
  return `#/${view}${id === undefined ? '' : `/${encodeURIComponent(id)}`}${search === '' ? '' : `?${search}`}`;
};

export const useAddress = (): Address => {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const change = () => setHash(location.hash);
    addEventListener('hashchange', change);
    // It may have changed since the page was drawn, while nobody listened.
    change();
    return () => removeEventListener('hashchange', change);
  }, []);
  return useMemo(() => addressOf(hash), [hash]);
};

/** Changes settings of the address in place: typing a search must not fill the way back. */
export const replaceQuery = ({ view, id, query }: Address, changes: Query): void => {
  history.replaceState(null, '', hashOf(view, id, { ...query, ...changes }));
  dispatchEvent(new HashChangeEvent('hashchange'));
};

/** The day that an address asks for: its own, else the day of its first instant or its moment, else today. */
export const dayAsked = ({ query: { day, from, at } }: Address, timeZone: string): string => {
  const instant = from ?? at;
  return day ?? (instant === undefined ? 'today' : dayText(instant, timeZone));
};

/** What every part of the page knows: what the console shows, and where the page is. */
export interface View extends Omit<Answers['about'], 'accounts' | 'now'> {
  readonly address: Address;
  readonly account: string;
  readonly timeZone: string;
  readonly at: string | undefined;
}

export const ViewContext = createContext<View | undefined>(undefined);

export const useView = (): View => {
  const view = useContext(ViewContext);
  if (view === undefined) throw new Error('There is no view.');
  return view;
};

import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { dayText } from './words.ts';

/** Where the page is: a view, what it is about, and its settings. The address holds all of it, so it can be sent. */
export interface Address {
  readonly view: string;
  readonly id: string | undefined;
  readonly query: Readonly<Record<string, string>>;
}

const addressOf = (hash: string): Address => {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const [view = '', ...rest] = path.split('/');
  const { at, ...settings } = Object.fromEntries(new URLSearchParams(search));
  const moment = at === undefined ? undefined : momentOf(at);
  return {
    view: view === '' ? 'floor' : view,
    id: rest.length === 0 ? undefined : decoded(rest.join('/')),
    query: { ...settings, ...(moment !== undefined && { at: moment }) },
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

/** The hash of an address. Settings that are empty or undefined are left out. */
export const hashOf = (view: string, id?: string, query: Readonly<Record<string, string | undefined>> = {}): string => {
  const given = Object.entries(query).flatMap(([name, value]) => (value ? [[name, value]] : []));
  const search = new URLSearchParams(given).toString();
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
export const replaceQuery = (
  { view, id, query }: Address,
  changes: Readonly<Record<string, string | undefined>>,
): void => {
  history.replaceState(null, '', hashOf(view, id, { ...query, ...changes }));
  dispatchEvent(new HashChangeEvent('hashchange'));
};

/** The day that an address asks for: its own, else the day of its moment, else today. */
export const dayAsked = ({ query: { day, at } }: Address, timeZone: string): string =>
  day ?? (at === undefined ? 'today' : dayText(at, timeZone));

/** The day that an address names by its date, for a field that takes nothing else. */
export const dayNamed = ({ query: { day = '' } }: Address): string => (/^\d{4}-\d\d-\d\d$/.test(day) ? day : '');

/** An answer of the console, and why the latest request failed, if it did. */
export interface Live<Value> {
  readonly value: Value | undefined;
  readonly problem: { readonly message: string; readonly since: number } | undefined;
  /** Whether the first answer takes longer than people notice. */
  readonly isSlow: boolean;
  readonly refresh: () => void;
}

let serverAheadMs = 0;

/** The console's clock, which decides how old things are. */
export const serverNow = (): number => Date.now() + serverAheadMs;

const noteClock = (answer: unknown): void => {
  const now =
    typeof answer === 'object' && answer !== null && 'now' in answer ? Date.parse(String(answer.now)) : Number.NaN;
  if (!Number.isNaN(now)) serverAheadMs = now - Date.now();
};

/** Asks the console. Rejects with a message for people. */
export const ask = async <Value>(path: string, init: RequestInit = {}): Promise<Value> => {
  const answer = await fetch(`console/api/${path}`, init).catch((error: unknown) => {
    throw init.signal?.aborted ? error : new Error('The console does not answer. Is it still running in its terminal?');
  });
  const body: unknown = await answer.json().catch(() => undefined);
  if (!answer.ok) throw new Error(messageOf(body) ?? wordlessText(answer.status));
  if (body === undefined) throw new Error('The console broke off its answer.');
  noteClock(body);
  return body as Value;
};

/** The address has the token of an earlier start. */
export const startedAnew = 'The console was started anew. Open the address that it printed then.';

/** Only a wrong token gets a 404 without a message. */
const wordlessText = (status: number): string => (status === 404 ? startedAnew : `The console answered ${status}.`);

const messageOf = (body: unknown): string | undefined =>
  typeof body === 'object' && body !== null && 'message' in body ? String(body.message) : undefined;

const slowMs = 300;

/**
 * Asks for a path at once and again after `everySeconds`, while the page is visible. A failed request leaves the latest
 * answer as it is. Another path begins anew. A new request cancels the one before, whose answer would be older.
 */
export const useLive = <Value>(path: string | undefined, everySeconds?: number): Live<Value> => {
  const [state, setState] = useState(none<Value>(path));
  const refresh = useRef(() => {});
  const asking = useRef(path);
  useEffect(() => {
    // A path that was left is asked anew: its latest answer may be old.
    if (asking.current !== path) setState(none<Value>(path));
    asking.current = path;
    if (path === undefined) return;
    let asked = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const slow = setTimeout(
      () => setState((was) => ({ ...(was.path === path ? was : none<Value>(path)), isSlow: true })),
      slowMs,
    );
    const load = async (): Promise<void> => {
      clearTimeout(timer);
      asked.abort();
      asked = new AbortController();
      const { signal } = asked;
      try {
        const value = await ask<Value>(path, { signal });
        if (signal.aborted) return;
        setState({ path, value, problem: undefined, isSlow: false });
      } catch (error) {
        if (signal.aborted) return;
        setState((was) => failed(was.path === path ? was : none<Value>(path), error));
      }
      clearTimeout(slow);
      if (everySeconds !== undefined) timer = setTimeout(next, everySeconds * 1000);
    };
    const next = () => {
      if (!document.hidden) load();
    };
    refresh.current = load;
    document.addEventListener('visibilitychange', next);
    load();
    return () => {
      asked.abort();
      clearTimeout(timer);
      clearTimeout(slow);
      document.removeEventListener('visibilitychange', next);
    };
  }, [path, everySeconds]);
  const current = state.path === path ? state : none<Value>(path);
  return { ...current, refresh: () => refresh.current() };
};

interface Known<Value> extends Omit<Live<Value>, 'refresh'> {
  readonly path: string | undefined;
}

const none = <Value>(path: string | undefined): Known<Value> => ({
  path,
  value: undefined,
  problem: undefined,
  isSlow: false,
});

export const failureText = (error: unknown): string => (error instanceof Error ? error.message : 'It failed.');

const failed = <Value>(was: Known<Value>, error: unknown): Known<Value> => ({
  ...was,
  problem: {
    message: failureText(error),
    since: was.problem?.since ?? Date.now(),
  },
  isSlow: false,
});

export const useNow = (): number => {
  const [now, setNow] = useState(serverNow());
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
};

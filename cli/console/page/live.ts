import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { dayText } from './words.ts';

type Query = Readonly<Record<string, string | undefined>>;

/** Where the page is: a view, what it is about, and its settings. The address holds all of it, so it can be sent. */
export interface Address {
  readonly view: string;
  readonly id: string | undefined;
  readonly query: Readonly<Record<string, string>>;
}

const addressOf = (hash: string): Address => {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const [view = '', ...rest] = path.split('/');
  const { at = '', ...settings } = Object.fromEntries(new URLSearchParams(search));
  const moment = momentOf(at);
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

/** The day that an address asks for: its own, else the day of its moment, else today. */
export const dayAsked = ({ query: { day, at } }: Address, timeZone: string): string =>
  day ?? (at === undefined ? 'today' : dayText(at, timeZone));

let serverAheadMs = 0;

export const serverNow = (): number => Date.now() + serverAheadMs;

export const useNow = (): number => {
  const [now, setNow] = useState(serverNow());
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
};

/** The address has the token of an earlier start. */
export const startedAnew = 'The console was started anew. Open the address that it printed then.';

/** Only a wrong token gets a 404 without a message. */
const wordlessText = (status: number): string => (status === 404 ? startedAnew : `The console answered ${status}.`);

export const ask = async <Value>(path: string, init: RequestInit = {}): Promise<Value> => {
  const answer = await fetch(`console/api/${path}`, init).catch((error: unknown) => {
    throw init.signal?.aborted ? error : new Error('The console does not answer. Is it still running in its terminal?');
  });
  const body = await answer.json().catch(() => undefined);
  if (!answer.ok) throw new Error(body?.message ?? wordlessText(answer.status));
  if (body === undefined) throw new Error('The console broke off its answer.');
  const now = Date.parse(body.now);
  if (!Number.isNaN(now)) serverAheadMs = now - Date.now();
  return body;
};

export const failureText = (error: unknown): string => (error instanceof Error ? error.message : 'It failed.');

interface Answered<Value> {
  readonly path: string | undefined;
  readonly value: Value | undefined;
  readonly problem: { readonly message: string; readonly since: number } | undefined;
  readonly isSlow: boolean;
}

export interface Live<Value> extends Answered<Value> {
  readonly refresh: () => void;
}

const unanswered = <Value>(path: string | undefined): Answered<Value> => ({
  ...{ path, value: undefined, problem: undefined, isSlow: false },
});

type Change<Value> = (was: Answered<Value>) => Partial<Answered<Value>>;

const answered =
  <Value>(value: Value): Change<Value> =>
  () => ({ value, problem: undefined, isSlow: false });

const failed =
  <Value>(error: unknown): Change<Value> =>
  ({ problem }) => ({ problem: { message: failureText(error), since: problem?.since ?? Date.now() }, isSlow: false });

const slowMs = 300;

/** Asks at once and every so often while the page is visible, and keeps the last answer. A new request cancels the one before. */
export const useLive = <Value>(path: string | undefined, everySeconds?: number): Live<Value> => {
  const [state, setState] = useState(unanswered<Value>(path));
  const refresh = useRef(() => {});
  const asking = useRef(path);
  useEffect(() => {
    // A path that was left is asked anew: its latest answer may be old.
    if (asking.current !== path) setState(unanswered<Value>(path));
    asking.current = path;
    if (path === undefined) return;
    let asked = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const note = (change: Change<Value>) =>
      setState((latest) => {
        const was = latest.path === path ? latest : unanswered<Value>(path);
        return { ...was, ...change(was) };
      });
    const slow = setTimeout(() => note(() => ({ isSlow: true })), slowMs);
    const load = async (): Promise<void> => {
      clearTimeout(timer);
      asked.abort();
      asked = new AbortController();
      const { signal } = asked;
      const change = await ask<Value>(path, { signal }).then(answered<Value>, failed<Value>);
      if (signal.aborted) return;
      note(change);
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
  const current = state.path === path ? state : unanswered<Value>(path);
  return { ...current, refresh: () => refresh.current() };
};

interface Asked<Value> {
  readonly value?: Value;
  readonly problem?: string | undefined;
}

/** Asks when somebody clicks. An answer to an earlier click may come after that to a later one, and is dropped. */
export const useAsk = <Value>() => {
  const [asked, setAsked] = useState<Asked<Value>>({});
  const wanted = useRef('');
  const run = async (path: string): Promise<void> => {
    wanted.current = path;
    const change = await ask<Value>(path).then(
      (value): Asked<Value> => ({ value, problem: undefined }),
      (error: unknown): Asked<Value> => ({ problem: failureText(error) }),
    );
    if (wanted.current === path) setAsked((was) => ({ ...was, ...change }));
  };
  return { ...asked, run };
};

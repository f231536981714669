import { useContext, useEffect, useRef, useState } from 'preact/hooks';
import type { Answers } from '../api.ts';
import { ViewContext } from './address.ts';
import { type PageQuery, searchOf } from './hash.ts';

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

/** What was asked is wrong, such as a filter of an address: nothing has failed. */
class Refusal extends Error {}

export const ask = async <Value>(path: string, init: RequestInit = {}): Promise<Value> => {
  const answer = await fetch(`console/api/${path}`, init).catch((error: unknown) => {
    throw init.signal?.aborted ? error : new Error('The console does not answer. Is it still running in its terminal?');
  });
  const body = await answer.json().catch(() => undefined);
  if (answer.status === 400) throw new Refusal(body?.message);
  if (!answer.ok) throw new Error(body?.message ?? wordlessText(answer.status));
  if (body === undefined) throw new Error('The console broke off its answer.');
  const now = Date.parse(body.now);
  if (!Number.isNaN(now)) serverAheadMs = now - Date.now();
  return body;
};

export const failureText = (error: unknown): string => (error instanceof Error ? error.message : 'It failed.');

interface Problem {
  readonly message: string;
  /** Whether what was asked is wrong, and not what answers. */
  readonly isRefusal: boolean;
  readonly since: number;
}

interface Answered<Value> {
  readonly path: string | undefined;
  readonly value?: Value;
  readonly problem?: Problem | undefined;
  readonly isSlow?: boolean;
}

export interface Live<Value> extends Omit<Answered<Value>, 'path'> {
  readonly refresh: () => void;
}

const slowMs = 300;

/** A request that fails is repeated, even one that is made once: less and less often, until so many seconds lie between. */
const retrySeconds = 5;
const maxWaitSeconds = 60;

/**
 * Asks at once, every so often, and when the page becomes visible again; keeps the last answer. A new request cancels the one
 * before. Without an address it asks nothing.
 */
export const useLive = <Address extends keyof Answers>(
  address: Address | undefined,
  query: PageQuery = {},
  everySeconds?: number,
): Live<Answers[Address]> => {
  type Value = Answers[Address];
  const account = useContext(ViewContext)?.account;
  const path = address && `${address}?${searchOf({ account, ...query })}`;
  const [state, setState] = useState<Answered<Value>>({ path });
  const refresh = useRef(() => {});
  useEffect(() => {
    // A path that was left is asked anew: its latest answer may be old.
    setState((was) => (was.path === path ? was : { path }));
    if (path === undefined) return;
    let asked = new AbortController();
    let failures = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const slow = setTimeout(() => setState((was) => ({ ...was, isSlow: true })), slowMs);
    const load = async (): Promise<void> => {
      clearTimeout(timer);
      asked.abort();
      asked = new AbortController();
      const { signal } = asked;
      const answer = await ask<Value>(path, { signal }).then(
        (value) => ({ value }),
        (error: unknown) => ({ message: failureText(error), isRefusal: error instanceof Refusal }),
      );
      if (signal.aborted) return;
      clearTimeout(slow);
      const hasFailed = 'message' in answer;
      failures = hasFailed ? failures + 1 : 0;
      setState(({ problem, ...was }) =>
        hasFailed ? { ...was, problem: { since: Date.now(), ...problem, ...answer } } : { path, ...answer },
      );
      const every = everySeconds ?? (hasFailed && !answer.isRefusal ? retrySeconds : undefined);
      if (every === undefined) return;
      const waitSeconds = Math.min(every * 2 ** failures, Math.max(every, maxWaitSeconds));
      timer = setTimeout(next, waitSeconds * 1000);
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
  return { ...(state.path === path && state), refresh: () => refresh.current() };
};

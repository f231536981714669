import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useState } from 'preact/hooks';
import type { Answers } from '../api.ts';
import { type Address, addressOf, hashOf, type PageQuery } from './hash.ts';

export const useAddress = (): Address => {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const change = () => setHash(location.hash);
    addEventListener('hashchange', change);
    // The address may have changed since the page was drawn, while nobody listened.
    change();
    return () => removeEventListener('hashchange', change);
  }, []);
  return useMemo(() => addressOf(hash), [hash]);
};

/** Changes settings of the address in place: typing a search must not fill the way back. */
export const replaceQuery = ({ view, id, query }: Address, changes: PageQuery): void => {
  history.replaceState(null, '', hashOf(view, id, { ...query, ...changes }));
  dispatchEvent(new HashChangeEvent('hashchange'));
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

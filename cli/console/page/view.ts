import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Answers } from '../api.ts';
import type { Address } from './address.ts';

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

import { useEffect, useState } from 'preact/hooks';

/** A choice that this browser keeps, for every start of the console at the same address. */
export const kept = (name: string) => {
  const key = `callfeed-${name}`;
  return {
    get: (): string | undefined => localStorage.getItem(key) ?? undefined,
    set: (value: string): void => localStorage.setItem(key, value),
  };
};

/** Follows a kept choice, whichever part or tab of the console changes it. */
export const useKept = (name: string): readonly [value: string | undefined, keep: (value: string) => void] => {
  const { get, set } = kept(name);
  const [, redraw] = useState({});
  useEffect(() => {
    const changed = () => redraw({});
    addEventListener('storage', changed);
    return () => removeEventListener('storage', changed);
  }, []);
  const keep = (value: string) => {
    set(value);
    // The browser itself informs the other tabs alone.
    dispatchEvent(new StorageEvent('storage'));
  };
  return [get(), keep];
};

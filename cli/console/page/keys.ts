import { kept } from './kept.ts';

const theme = kept('theme');

const applyTheme = (): void => {
  document.documentElement.style.colorScheme = theme.get() ?? '';
};

export const switchTheme = (): void => {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  theme.set((theme.get() ?? system) === 'dark' ? 'light' : 'dark');
  applyTheme();
};

applyTheme();

const move = (by: 1 | -1): void => {
  const rows = [...document.querySelectorAll('.item')];
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[current === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, current + by))];
  const target = row?.querySelector<HTMLElement>(':scope a[href], :scope > button');
  target?.focus();
  target?.scrollIntoView({ block: 'nearest' });
};

export const showKeys = (): void => document.querySelector<HTMLDialogElement>('#keys')?.showModal();

export const keyTexts: Readonly<Record<string, string>> = {
  '/': 'search',
  'j, k': 'next, previous row',
  Enter: 'open the row',
  Esc: 'back',
  '?': 'this',
};

/** The pages of this console that were seen before. Not every browser knows them. */
interface WithNavigation {
  readonly navigation?: { readonly currentEntry: { readonly index: number } | null };
}

/** Goes to the page before, unless that is of another site. */
const back = (): void => {
  const { navigation }: WithNavigation = globalThis as WithNavigation;
  if (navigation?.currentEntry?.index !== 0) history.back();
};

const keys: Readonly<Record<string, () => void>> = {
  '/': () => document.querySelector<HTMLElement>('#search')?.focus(),
  j: () => move(1),
  k: () => move(-1),
  '?': showKeys,
  Escape: back,
};

/** Keys work everywhere but where text is typed; there, Esc leaves the field. Enter opens what has the focus, as always. */
export const listenToKeys = (): (() => void) => {
  const pressed = (event: KeyboardEvent): void => {
    const { target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) return;
    if (target instanceof HTMLElement && target.matches('input, select, textarea')) {
      if (event.key === 'Escape') target.blur();
      return;
    }
    const action = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined;
    if (action === undefined) return;
    event.preventDefault();
    action();
  };
  addEventListener('keydown', pressed);
  return () => removeEventListener('keydown', pressed);
};

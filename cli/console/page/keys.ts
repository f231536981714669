const storage = 'callfeed-theme';

/** The theme of the system, unless somebody chose the other one in this browser. */
const applyTheme = (): void => {
  const chosen = localStorage.getItem(storage);
  const isDark = chosen === null ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark';
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
};

export const keepTheme = (): void => {
  localStorage.setItem(storage, document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark');
  applyTheme();
  // Charts draw with the colours of the theme.
  dispatchEvent(new Event('resize'));
};

applyTheme();
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme);

const links = (): readonly HTMLElement[] => [
  ...document.querySelectorAll<HTMLElement>('.item a[href], .item > button'),
];

/** The first link of the next or the previous row. */
const move = (by: 1 | -1): void => {
  const rows = [...document.querySelectorAll('.item')];
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const row = rows[current === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, current + by))];
  const target = links().find((link) => row?.contains(link));
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

/** To the page before, unless that is of another site. */
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
    const isTyping = event.target instanceof HTMLElement && event.target.matches('input, select, textarea');
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null) return;
    if (isTyping) {
      if (event.key === 'Escape' && event.target instanceof HTMLElement) event.target.blur();
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

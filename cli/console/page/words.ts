import { commandText } from '../../../lib/core/command-text.ts';
import { localDate, localTime } from '../../../lib/core/time.ts';

/** The states of agents, in the order of charts and tiles: who can take a call, who has one, who will soon, who will not. */
const marks: Readonly<Record<string, readonly [letter: string, fill: string]>> = {
  ready: ['R', '#009e73'],
  'in-call': ['C', '#0072b2'],
  calling: ['D', '#56b4e9'],
  acw: ['W', '#e69f00'],
  busy: ['B', '#d55e00'],
  pause: ['P', '#cc79a7'],
  aux: ['X', '#f0e442'],
  release: ['L', '#f7f1a1'],
  idle: ['I', '#d0d0d0'],
  offline: ['O', '#4d4d4d'],
  unknown: ['?', '#8c8c8c'],
};

export const states = Object.keys(marks);

const dark = ['in-call', 'offline'];

/** A state as the page shows it everywhere: by a letter, which needs no colour, and a colour of Okabe and Ito. */
export const styleOf = (state: string) => {
  const [letter, fill] = marks[state] ?? ['?', '#8c8c8c'];
  return { letter, fill, ink: dark.includes(state) ? '#ffffff' : '#000000' };
};

export const hidden = '(hidden)';

const inUnits = (whole: number) => [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60] as const;

/** A time that counts, such as 4:05 or 1:04:05. */
export const clockText = (seconds: number): string => {
  const [hours, minutes, rest] = inUnits(Math.max(0, Math.floor(seconds)));
  const shown = hours > 0 ? [hours, minutes, rest] : [minutes, rest];
  return shown.map((number, index) => String(number).padStart(index === 0 ? 1 : 2, '0')).join(':');
};

/** A blank at which no line ends: a value stays in one line with its unit. */
const noBreak = '\u00a0';

/** A duration in a sentence, such as 3 min 12 s. */
export const durationText = (seconds: number): string => {
  const [hours, minutes, rest] = inUnits(Math.max(0, Math.round(seconds)));
  const parts = [
    hours > 0 && `${hours} h`,
    minutes > 0 && `${minutes} min`,
    hours === 0 && (rest > 0 || minutes === 0) && `${rest} s`,
  ];
  return parts.filter(Boolean).join(' ').replaceAll(' ', noBreak);
};

export const percentText = (share: number): string => `${Math.round(share * 100)}${noBreak}%`;

const isoOf = (instant: string | number): string => new Date(instant).toISOString();

/** The local time of an instant, such as 10:42:15. */
export const timeText = (instant: string | number, timeZone: string): string =>
  localTime(isoOf(instant), timeZone).slice(11, 19);

/** The local day of an instant, such as 2026-11-20. */
export const dayText = (instant: string | number, timeZone: string): string => localDate(isoOf(instant), timeZone);

export const valueText = (value: unknown): string => {
  if (value === undefined || value === null) return '–';
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
};

/** A field's name in words: `callDurationSeconds` is `call duration`. */
export const fieldText = (name: string): string =>
  name
    .replace(/Seconds$/, '')
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();

export const capitalised = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`;

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en-GB')} ${count === 1 ? one : many}`;

/** Why an agent's day has no states; `calls` is undefined until they were read. The id is doubted only where nothing else knows it. */
export const noStatesText = (calls: number | undefined, isLoggedIn: boolean): string => {
  if (calls !== undefined && calls > 0)
    return 'No states are stored for this day, though calls name the agent: agents were not polled then, or the day is no longer kept.';
  const absent = 'Not logged in on this day, agents were not polled then, or the day is no longer kept.';
  return calls === undefined || isLoggedIn ? absent : `${absent} Is the id spelt as on the floor?`;
};

/** A command in a terminal that does the same where the page looks. */
export const commandOf = (view: { readonly commandOptions: readonly string[] }, ...words: readonly string[]): string =>
  commandText(['npx', 'callfeed', ...words, ...view.commandOptions]);

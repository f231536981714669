/** The clock of a zone at an instant, by `Intl` alone: what the product makes of zones is held against it. */
export const wallClock = (instant: string | number, timeZone: string): string => {
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(timeZone, format);
  return format.format(new Date(instant));
};

/** One takes longer to make than to use a hundred times. */
const formats = new Map<string, Intl.DateTimeFormat>();

export const dateOn = (instant: string | number, timeZone: string): string => wallClock(instant, timeZone).slice(0, 10);

const hourMs = 3_600_000;

const found = new Map<string, string>();

/** The first instant of a date on the clocks of a zone. */
export const midnightOf = (date: string, timeZone: string): string => {
  const midnight = found.get(`${date} ${timeZone}`) ?? firstInstantOf(date, timeZone);
  found.set(`${date} ${timeZone}`, midnight);
  return midnight;
};

const firstInstantOf = (date: string, timeZone: string): string => {
  const about = Date.parse(`${date}T00:00:00Z`);
  for (let ms = about - 15 * hourMs; ms <= about + 15 * hourMs; ms += hourMs / 4)
    if (dateOn(ms, timeZone) === date) return new Date(ms).toISOString();
  throw new Error(`${date} does not begin in ${timeZone}`);
};

/** When clocks of a zone show a time of day, such as 10:15, on a date on which they do not change before it. */
export const instantAt = (date: string, time: string, timeZone: string): string => {
  const [hours, minutes] = time.split(':').map(Number);
  return new Date(
    Date.parse(midnightOf(date, timeZone)) + (Number(hours) + Number(minutes) / 60) * hourMs,
  ).toISOString();
};

export const daysLater = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 24 * hourMs).toISOString().slice(0, 10);

/** Both of them count. */
export const countOfDays = (first: string, last: string): number =>
  (Date.parse(last) - Date.parse(first)) / (24 * hourMs) + 1;

/** The last instant before another. */
export const before = (instant: string): string => new Date(Date.parse(instant) - 1).toISOString();

declare global {
  /** The language has it, TypeScript's library for ES2024 does not. */
  interface JSON {
    rawJSON(text: string): BareNumber;
  }
}

interface BareNumber {
  readonly rawJSON: string;
}

/** A bare JSON number with exactly these digits. A JavaScript number would round long ones. */
export const bareNumber = (digits: string): BareNumber => JSON.rawJSON(digits);

export type Value = string | BareNumber | null;

export type SentFields = Readonly<Record<string, Value>>;
export type Rewrite = (fields: SentFields) => SentFields;

export const withTexts = (fields: SentFields, keys: readonly string[], change: (text: string) => Value): SentFields =>
  Object.fromEntries(
    Object.entries(fields).map(([key, value]) =>
      keys.includes(key) && typeof value === 'string' && value !== '' ? [key, change(value)] : [key, value],
    ),
  );

/** How each field is written of a subject, by the key under which it is sent. */
export type FieldTable<Subject> = Readonly<Record<string, (subject: Subject) => Value>>;

export const fieldsBy = <Subject>(table: FieldTable<Subject>, subject: Subject): SentFields =>
  Object.fromEntries(Object.entries(table).map(([key, value]) => [key, value(subject)]));

/** Formats are cached, as constructing one takes far longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

/** A time as the service writes it, on the clocks of a time zone. */
export const wallTime = (at: number, timeZone: string): string => {
  // The Swedish date format is the one of the service.
  const format =
    formats.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'medium' });
  formats.set(timeZone, format);
  return format.format(at);
};

export const parseDuration = (clock: string): number =>
  clock.split(':').reduce((seconds, part) => seconds * 60 + Number(part), 0);

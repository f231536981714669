/** How a mobile number was written before its country changed its numbers, as machines still do, and as it is written now. */
interface FormerForm {
  readonly former: RegExp;
  readonly current: string;
}

/** With the country's code: Mexico had a 1 before mobile numbers, Brazil had no ninth digit. */
const international: readonly FormerForm[] = [
  { former: /^521(\d{10})$/, current: '+52$1' },
  { former: /^55(\d\d)([6-9]\d{7})$/, current: '+55$19$2' },
];

/** As dialled in the country: Mexico had 01, and 044 and 045 before mobile numbers. */
const national: Readonly<Record<string, FormerForm>> = {
  MX: { former: /^(?:0?1|04[45])(\d{10})$/, current: '+52$1' },
  BR: { former: /^0?(\d\d)([6-9]\d{7})$/, current: '+55$19$2' },
};

const currentOf = (digits: string, { former, current }: FormerForm): string | undefined =>
  former.test(digits) ? digits.replace(former, current) : undefined;

/** Today's number, in E.164, for digits that begin with the code of their country; undefined if that changed no numbers. */
export const currentNumber = (digits: string): string | undefined =>
  international.map((form) => currentOf(digits, form)).find((number) => number !== undefined);

/** Today's number, in E.164, for digits as they are dialled in a country; undefined if that changed no numbers. */
export const currentNationalNumber = (digits: string, country: string | undefined): string | undefined => {
  const form = country === undefined ? undefined : national[country];
  return form && currentOf(digits, form);
};

/**
 * What a person's two numbers have in common. Callers outside of Argentina dial a 9 before a mobile number, others do not; no fixed
 * line has the same number.
 */
export const commonNumber = (number: string): string => number.replace(/^\+549(?=\d{10}$)/, '+54');

/** The numbers of the person with this one, which is current and common. */
export const numbersOfPerson = (number: string): readonly string[] => [
  ...new Set([
    number,
    number.replace(/^\+52(?=\d{10}$)/, '+521'),
    number.replace(/^(\+55\d\d)9(?=\d{8}$)/, '$1'),
    number.replace(/^\+54(?=\d{10}$)/, '+549'),
  ]),
];

/** What is dialled in a country before its numbers, besides a 0. */
export const formerPrefixes = (number: string): readonly string[] =>
  number.startsWith('+52') ? ['01', '044', '045'] : [];

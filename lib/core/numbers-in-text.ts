/** What people and programs put between the digits of a number, and characters that nobody sees. */
export const separator = "\\s().+_*'\u2019~\u00b7\u2022\u2010-\u2015\u200b-\u200f\u2060\ufeff-";

/** What may stand between two digits of a number. In a query `+` and `%20` are blanks. */
export const between = `(?:[${separator}]|%2[0-9A-Fa-f]|%5[Ff]){0,3}`;

/** Telephone numbers have no fewer digits. */
export const minDigits = 6;

/** Dates and times have as many digits as numbers: they are matched first, and are no number. */
export const dateOrTime = [
  String.raw`(?<!\p{Nd})\d{4}-(?:0\d|1[0-2])-[0-3]\d(?!\p{Nd})(?:[T ]\d\d:\d\d(?::\d\d)?(?!\p{Nd}))?`,
  String.raw`(?<!\p{Nd})(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])(?:[0-2]\d[0-5]\d[0-5]\d)?(?!\p{Nd})`,
].join('|');

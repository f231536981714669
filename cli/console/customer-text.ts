import { parsePhoneNumberFromString } from 'libphonenumber-js/max/es6';
import { keepLatest } from '../../lib/core/collections.ts';
import { e164 } from '../../lib/telephony/e164.ts';
import { countryOfZone } from '../../lib/telephony/zone-countries.ts';
import type { ShownAccount } from './accounts.ts';

/** Reading one takes a third of a millisecond, and a list is asked for again every few seconds. */
const known = new Map<string, string>();
const maxKnown = 10_000;

/** As in +91 98400 12345. */
const readableNumber = (sent: string, country: string | undefined): string | undefined => {
  const number = e164(sent, country);
  return number && parsePhoneNumberFromString(number)?.formatInternational();
};

interface WithNumber {
  readonly customerNumber?: string | undefined;
  readonly timeZone?: string | undefined;
}

/**
 * The number of a call's customer as people read it, for who may see it; undefined for a text that is not surely one number. It is
 * made here, as the page would need the tables of all countries for it.
 */
export const customerText = (
  { isPersonal, country }: Pick<ShownAccount, 'isPersonal' | 'country'>,
  { customerNumber, timeZone = '' }: WithNumber,
): string | undefined => {
  if (!isPersonal || customerNumber === undefined) return undefined;
  const home = country ?? countryOfZone(timeZone);
  const key = `${home} ${customerNumber}`;
  const text = known.get(key) ?? readableNumber(customerNumber, home) ?? '';
  keepLatest(known, key, text, maxKnown);
  return text === '' ? undefined : text;
};

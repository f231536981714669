import { pick, type Random } from '../../../sandbox/simulator/random.ts';
import { secrets } from '../accounts.ts';
import type { Posted } from './posted.ts';

/** A way, usual or not, of putting a JSON text into a request. */
export interface HostileCarrier {
  readonly name: string;
  readonly carry: (random: Random, json: string) => Posted;
}

/** The type of forms. */
export const formType = { 'content-type': 'application/x-www-form-urlencoded' };
/** The type of JSON. */
export const jsonType = { 'content-type': 'application/json' };

/** As in an address; `encodeURIComponent` throws for a text that is none. */
export const encoded = (text: string): string => encodeURIComponent(text.toWellFormed());
/** A form of this text. */
export const form = (body: string, query = ''): Posted => ({ headers: formType, query, body: Buffer.from(body) });
/** Any account's key, or a stranger's. */
export const key = (random: Random): string => pick(random, [...secrets, 'stranger']);

/** By specification and in practice. */
export const usualCarriers: readonly HostileCarrier[] = [
  { name: 'form', carry: (_, json) => form(`data=${encoded(json)}`) },
  { name: 'plus-form', carry: (_, json) => form(new URLSearchParams({ data: json }).toString()) },
  { name: 'json', carry: (_, json) => ({ headers: jsonType, query: '', body: Buffer.from(json) }) },
  { name: 'query', carry: (_, json) => ({ headers: formType, query: `data=${encoded(json)}`, body: undefined }) },
  { name: 'key-beside', carry: (random, json) => form(`data=${encoded(json)}&Apikey=${encoded(key(random))}`) },
  { name: 'tenant', carry: (_, json) => form(`data=${encoded(json)}`, 'tenant=north-12') },
];

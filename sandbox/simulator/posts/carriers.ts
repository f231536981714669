import type { Choosable } from '../quirks/choose.ts';
import type { Layout } from '../summary/value.ts';
import type { Wire } from './post.ts';

/** A way of putting a JSON text into an HTTP request. */
export interface Carrier extends Choosable {
  /** Whether the account's key travels beside the JSON instead of in it. */
  readonly keyBeside: boolean;
  readonly carry: (json: string, apiKey: string) => Wire;
}

const form = 'application/x-www-form-urlencoded';

/** A form, its fields encoded. */
export const formWire = (fields: Readonly<Record<string, string>>): Wire => ({
  contentType: form,
  body: new URLSearchParams(fields).toString(),
  query: '',
});

/** A JSON text as the whole body. */
export const jsonWire = (body: string): Wire => ({ contentType: 'application/json', body, query: '' });

/** The form field `data`: the rule. */
export const formCarrier = { keyBeside: false, carry: (json: string) => formWire({ data: json }) } as const;

/** Other ways, all met in production. */
export const carriers = [
  { name: 'json-body', probability: 0.05, keyBeside: false, carry: jsonWire },
  {
    name: 'data-in-query',
    probability: 0.02,
    keyBeside: false,
    carry: (data) => ({ contentType: form, body: '', query: new URLSearchParams({ data }).toString() }),
  },
  {
    name: 'key-beside-data',
    probability: 0.04,
    keyBeside: true,
    carry: (data, Apikey) => formWire({ data, Apikey }),
  },
  {
    name: 'tenant-in-query',
    probability: 0.03,
    keyBeside: false,
    carry: (data) => ({ ...formWire({ data }), query: 'tenant=north-12' }),
  },
] as const satisfies readonly Carrier[];

/** A way of writing the JSON text itself. */
export interface Writing extends Choosable {
  readonly layout: Layout;
  /** How a slash is written. */
  readonly slash: string;
}

/** On one line, slashes as they are: the rule. */
export const plainWriting = { layout: 'compact', slash: '/' } as const;

/** Other ways, which mean the same. */
export const writings = [
  { name: 'pretty-printed', probability: 0.04, layout: 'pretty', slash: '/' },
  { name: 'escaped-slashes', probability: 0.08, layout: 'compact', slash: '\\/' },
] as const satisfies readonly Writing[];

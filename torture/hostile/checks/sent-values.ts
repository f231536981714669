import { isFields, type JsonNode, nodeOf } from '../json/node.ts';
import type { Posted } from '../requests/posted.ts';
import { percentDecoded } from './escapes.ts';

/** What was sent, read without any of the code that is tried. */
export interface Sent {
  /** The values of a JSON text, or undefined if it is none. */
  readonly values: readonly string[] | undefined;
  /** What is to be found if it is none: the text, or the fields of a form. */
  readonly texts: readonly string[];
}

const isKeyName = (name: string): boolean => /api[_-]?key/i.test(name);
const isUserName = (name: string): boolean => name.toLowerCase() === 'username';

/** Every value but those of keys, numbers digit by digit. */
const leavesOf = (root: JsonNode): readonly string[] => {
  const leaves: string[] = [];
  const open: JsonNode[] = [root];
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (typeof node === 'string') leaves.push(node);
    else if (isFields(node))
      open.push(...node.fields.filter(([name]) => !isKeyName(name) && !isUserName(name)).map(([, value]) => value));
    else if ('raw' in node) leaves.push(node.raw);
    else open.push(...node);
  }
  return leaves;
};

const isForm = ({ headers }: Posted): boolean => {
  const type = Object.entries(headers).findLast(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  return type.trim() === '' || /^application\/x-www-form-urlencoded/i.test(type);
};

const nodeIn = (text: string): JsonNode | undefined => {
  try {
    return nodeOf(text.replace(/^\uFEFF/, ''));
  } catch {
    return undefined;
  }
};

/** JSON in a field `data` of JSON is what the post is about. */
const innermost = (node: JsonNode): JsonNode | undefined => {
  const data = isFields(node) ? node.fields.find(([name]) => name.toLowerCase() === 'data')?.[1] : undefined;
  if (typeof data !== 'string' || data.trim() === '') return node;
  const inner = nodeIn(data);
  return inner === undefined ? undefined : innermost(inner);
};

/** JSON that is read as a form falls into pieces, some of which may be a key's value and are masked with the rest of it. */
const hasKeyOfPieces = (text: string): boolean =>
  /api[_-]?key(?:\\*["'])?\s*(?::|=\s*[[{])/i.test(percentDecoded(text));

/** What a request holds; undefined where that cannot be said without the rules of the receiver. */
export const sentValues = (posted: Posted): Sent | undefined => {
  if (posted.handedOver !== undefined) return undefined;
  const text = posted.body?.toString() ?? '';
  const query = [...new URLSearchParams(posted.query)];
  const form = isForm(posted) ? [...new URLSearchParams(text.replace(/^\?/, '%3F'))] : [];
  const data = [...form, ...query].filter(([name]) => name.toLowerCase() === 'data').map(([, value]) => value);
  const contents = [...data, ...(isForm(posted) || text.trim() === '' ? [] : [text])];
  const [only = ''] = contents;
  if (contents.length !== 1 || only.trim() === '') {
    if (hasKeyOfPieces(`${text}\n${posted.query}`)) return undefined;
    return {
      values: undefined,
      texts: [...form, ...query].filter(([name]) => !isKeyName(name)).map(([, value]) => value),
    };
  }

  const node = nodeIn(only);
  const meant = node && innermost(node);
  // What is wrapped and then broken is kept as the innermost text, which only the receiver can tell.
  if (node !== undefined && meant === undefined) return undefined;
  return { values: meant === undefined ? undefined : leavesOf(meant), texts: [only.replace(/^\uFEFF/, '')] };
};

import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** An item as it goes over the wire. */
export type Item = Readonly<Record<string, AttributeValue>>;

/** The values that stand for the names with a colon in an expression. */
export type Values = Readonly<Record<string, AttributeValue>>;

/** An expression that only the real DynamoDB understands: the code under test has learned something new. */
const unknown = (expression: string): Error =>
  new Error(`The memory table does not know the expression “${expression}”`);

const isSame = (one: AttributeValue | undefined, other: AttributeValue | undefined): boolean =>
  one !== undefined && JSON.stringify(one) === JSON.stringify(other);

const term = (text: string, item: Item | undefined, values: Values): boolean => {
  const [, function_, argument = ''] = /^(attribute_not_exists|attribute_exists)\((\w+)\)$/.exec(text) ?? [];
  if (function_ !== undefined) return (item?.[argument] === undefined) === (function_ === 'attribute_not_exists');

  const [, name = '', operator, value = ''] = /^(\w+) (=|<) (:\w+)$/.exec(text) ?? [];
  if (operator === '=') return isSame(item?.[name], values[value]);
  if (operator === '<') return item?.[name] !== undefined && Number(item[name].N) < Number(values[value]?.N);
  throw unknown(text);
};

/** Whether an item, or that there is none, meets a condition. */
export const meets = (condition: string | undefined, item: Item | undefined, values: Values = {}): boolean =>
  condition === undefined ||
  condition
    .split(' OR ')
    .some((alternative) => alternative.split(' AND ').every((part) => term(part.trim(), item, values)));

const assigned = (clause: string, values: Values): Item =>
  Object.fromEntries(
    clause.split(',').map((assignment) => {
      const [, name, value = ''] = /^\s*(\w+) = (:\w+)\s*$/.exec(assignment) ?? [];
      const given = values[value];
      if (name === undefined || given === undefined) throw unknown(assignment);
      return [name, given];
    }),
  );

/** `SET a = :a, b = :b`, `ADD c :c`, or both. */
const clausesOf = (expression: string) => {
  const [, set, add, added = ''] = /^(?:SET (.+?))?(?:\s*ADD (\w+) (:\w+))?$/.exec(expression) ?? [];
  if (set === undefined && add === undefined) throw unknown(expression);
  return { set, add, added };
};

/** The item after an update. */
export const updated = (expression: string, item: Item, values: Values): Item => {
  const { set, add, added } = clausesOf(expression);
  return {
    ...item,
    ...(set !== undefined && assigned(set, values)),
    ...(add !== undefined && { [add]: { N: String(Number(item[add]?.N ?? 0) + Number(values[added]?.N)) } }),
  };
};

/** The attributes of an item that an update has set. */
export const changedBy = (expression: string, item: Item = {}): Item => {
  const { set = '', add = '' } = clausesOf(expression);
  const names = [...set.split(',').map((assignment) => assignment.split('=')[0]?.trim()), add];
  return Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)));
};

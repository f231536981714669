import { describe, expect, it } from 'vitest';
import { changedBy, type Item, meets, updated } from '../../../torture/world/dynamodb-expressions.ts';

const item: Item = { pk: { S: 'a' }, version: { N: '3' } };

describe('a condition', () => {
  it.each<[boolean, string | undefined, Item | undefined, string]>([
    [true, undefined, undefined, 'none asks for nothing'],
    [true, 'attribute_not_exists(pk)', undefined, 'there is no item'],
    [false, 'attribute_not_exists(pk)', item, 'there is one'],
    [true, 'attribute_exists(pk)', item, 'there is one'],
    [false, 'attribute_exists(pk)', undefined, 'there is no item'],
    [true, 'version = :three', item, 'it is equal'],
    [false, 'version = :four', item, 'it is another'],
    [false, 'version = :three', undefined, 'there is nothing to be equal'],
    [true, 'version < :four', item, 'it is less'],
    [false, 'version < :three', item, 'it is as much'],
    [false, 'version < :four', undefined, 'there is nothing to be less'],
    [true, 'version < :ten', item, 'numbers are compared, not texts'],
    [true, 'attribute_not_exists(pk) OR version < :four', item, 'one alternative is enough'],
    [false, 'attribute_exists(pk) AND version = :four', item, 'both have to hold'],
    [true, 'attribute_exists(pk) AND version = :three', item, 'both hold'],
  ])('is %s for “%s”: %4$s', (holds, condition, of) => {
    const values = { ':three': { N: '3' }, ':four': { N: '4' }, ':ten': { N: '10' } };

    expect(meets(condition, of, values)).toBe(holds);
  });

  it.each(['begins_with(pk, :a)', 'version > :three', 'NOT version = :three', ''])(
    'that is not known is told rather than guessed: “%s”',
    (condition) => {
      expect(() => meets(condition, item, { ':three': { N: '3' } })).toThrow('does not know');
    },
  );
});

describe('an update', () => {
  const values = { ':one': { N: '1' }, ':text': { S: 'x' } };

  it.each<[string, Item, Item]>([
    ['SET a = :text', { pk: { S: 'a' } }, { pk: { S: 'a' }, a: { S: 'x' } }],
    ['SET a = :text, b = :one', { a: { S: 'y' } }, { a: { S: 'x' }, b: { N: '1' } }],
    ['ADD kept :one', {}, { kept: { N: '1' } }],
    ['ADD kept :one', { kept: { N: '9' } }, { kept: { N: '10' } }],
    ['SET a = :text ADD kept :one', { kept: { N: '1' } }, { a: { S: 'x' }, kept: { N: '2' } }],
  ])('“%s” of %j makes %j', (expression, before, after) => {
    expect(updated(expression, before, values)).toEqual(after);
  });

  it('shows what it has set, and nothing else', () => {
    const after = { pk: { S: 'a' }, a: { S: 'x' }, kept: { N: '2' } };

    expect(changedBy('SET a = :text ADD kept :one', after)).toEqual({ a: { S: 'x' }, kept: { N: '2' } });
  });

  it.each(['REMOVE a', 'SET a = if_not_exists(a, :one)', 'SET a = :missing'])('“%s” is not known', (expression) => {
    expect(() => updated(expression, {}, values)).toThrow('does not know');
  });
});

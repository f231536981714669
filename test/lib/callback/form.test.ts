import { describe, expect, it } from 'vitest';
import { Form } from '../../../lib/callback/form.ts';

describe('a form', () => {
  it.each([
    ['no field', {}],
    ['a text', { data: '{}' }],
    ['a repeated name', { data: ['{}', '[]'] }],
    ['a name that objects have', JSON.parse('{"__proto__":"x"}')],
  ])('can have %s', (_title, fields) => {
    expect(Form.safeParse(fields)).toEqual({ success: true, data: fields });
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'data={}'],
    ['a list', [{ data: '{}' }]],
    ['a field that is no text', { data: '{}', other: 1 }],
    ['a repeated name with a value that is no text', { data: ['{}', 1] }],
  ])('is not %s', (_title, fields) => {
    expect(Form.safeParse(fields).success).toBe(false);
  });
});

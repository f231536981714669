import { describe, expect, it } from 'vitest';
import { importsOf } from './source-files.ts';

describe('importsOf', () => {
  it.each([
    ["import { a } from './a.ts';", 'lib/x/a.ts'],
    ["import type { A } from '../a.ts';", 'lib/a.ts'],
    ["import {\n  a,\n  b,\n} from '../y/a.ts';", 'lib/y/a.ts'],
    ["export * from './a.ts';", 'lib/x/a.ts'],
    ["import './a.ts';", 'lib/x/a.ts'],
    ["const a = await import('./a.ts');", 'lib/x/a.ts'],
    ["import * as z from 'zod';", 'zod'],
  ])('reads %j', (text, target) => {
    expect(importsOf({ file: 'lib/x/x.ts', text })).toEqual([target]);
  });

  it('reads no text in which a word happens to be quoted', () => {
    expect(importsOf({ file: 'lib/x.ts', text: "const a = at('from', b), c = ':from', d = 'e';" })).toEqual([]);
  });

  it('reads no comment', () => {
    expect(importsOf({ file: 'lib/x.ts', text: "// import './a.ts'\n/* from './b.ts' */" })).toEqual([]);
  });
});

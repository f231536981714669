import { build } from 'esbuild';
import { expect, it } from 'vitest';

const bundled = await build({
  entryPoints: ['lib/contract/index.ts'],
  bundle: true,
  minify: true,
  write: false,
  metafile: true,
  format: 'esm',
  // Neither Node's modules nor anything else is found that a browser lacks.
  platform: 'neutral',
  mainFields: ['module', 'main'],
});

it('the contract’s entry pulls in zod and our own declarations, and nothing of AWS or of Node', () => {
  const packages = Object.keys(bundled.metafile.inputs).filter((input) => input.startsWith('node_modules/'));

  expect(packages.length).toBeGreaterThan(0);
  expect(packages.filter((input) => !input.startsWith('node_modules/zod/'))).toEqual([]);
  expect(bundled.warnings).toEqual([]);
});

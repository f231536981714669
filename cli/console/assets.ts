import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BuildOptions } from 'esbuild';
import { once } from '../../lib/core/collections.ts';

type Assets = Readonly<Record<string, { readonly type: string; readonly body: string }>>;

/** Addresses are relative, so that the page works at any path. */
const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Callfeed</title>
<link rel="icon" href="console/icon.svg">
<link rel="stylesheet" href="console/main.css">
</head>
<body>
<div id="page"><noscript>The console needs JavaScript.</noscript></div>
<script type="module" src="console/main.js"></script>
</body>
</html>
`;

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#0072b2"/><path d="M3 11 6.5 5l3 4L13 4" fill="none" stroke="#fff" stroke-width="2"/></svg>`;

const folder = new URL('page/', import.meta.url);

/** Whether this is the built package, which has the page's bundle inside, made by this file. */
const isBuilt = import.meta.url.endsWith('.js');

const files = ['main.js', 'main.css'] as const;

const bundled = async (): Promise<readonly string[]> => {
  if (isBuilt) return files.map((file) => readFileSync(new URL(file, folder), 'utf8'));
  const { build } = await import('esbuild');
  const { outputFiles } = await build({ ...options, write: false });
  return files.map((file) => outputFiles.find(({ path }) => path.endsWith(`/${file}`))?.text ?? '');
};

const options = {
  entryPoints: [fileURLToPath(new URL('main.tsx', folder))],
  outdir: fileURLToPath(folder),
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  legalComments: 'none',
  logLevel: 'silent',
} as const satisfies BuildOptions;

export const pageAssets: () => Promise<Assets> = once(async () => {
  const [script = '', style = ''] = await bundled();
  return {
    '': { type: 'text/html; charset=utf-8', body: html },
    'console/main.js': { type: 'text/javascript; charset=utf-8', body: script },
    'console/main.css': { type: 'text/css; charset=utf-8', body: style },
    'console/icon.svg': { type: 'image/svg+xml', body: icon },
  };
});

// `npm run build` runs this file to add the bundle to the package.
if (import.meta.main) {
  const { build } = await import('esbuild');
  await build({ ...options, outdir: fileURLToPath(new URL('../../dist/cli/console/page', import.meta.url)) });
}

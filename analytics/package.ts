import { cpSync } from 'node:fs';

/** Adds the SQL to the built package, beside the program that reads it. TypeScript has compiled into this folder before. */
for (const folder of ['views', 'questions'])
  cpSync(new URL(`${folder}/`, import.meta.url), new URL(`../dist/analytics/${folder}/`, import.meta.url), {
    recursive: true,
  });

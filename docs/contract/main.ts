import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { contractFiles } from './contract-files.ts';

// Writes docs/asyncapi.json, the types in Python and the generated parts of pages.
const root = join(import.meta.dirname, '../..');
for (const [path, text] of await contractFiles()) writeFileSync(join(root, path), text);

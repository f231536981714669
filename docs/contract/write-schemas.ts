import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { jsonSchemas } from './schemas.ts';

// The package has the JSON Schemas; the repository has the declarations that they are made from.
const docs = join(import.meta.dirname, '..');
rmSync(join(docs, 'schemas'), { recursive: true, force: true });
for (const [path, schema] of jsonSchemas()) {
  mkdirSync(dirname(join(docs, path)), { recursive: true });
  writeFileSync(join(docs, path), `${JSON.stringify(schema, undefined, 2)}\n`);
}

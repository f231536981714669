import { fileURLToPath } from 'node:url';
import { bundleFunctions } from './bundle-functions.ts';

// What TypeScript has compiled lies there already; see the script `build`.
bundleFunctions(fileURLToPath(new URL('../dist', import.meta.url)));

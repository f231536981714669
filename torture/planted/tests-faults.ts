import type { PlantedFault } from './planted-fault.ts';

/** Tests that do not test, for the mutation test to find. */
export const testsFaults: readonly PlantedFault[] = [
  {
    name: 'tests-left-out',
    what: 'The tests of what is shortened are skipped.',
    check: 'mutation',
    file: 'test/lib/publish/shortened.test.ts',
    find: "import { describe, expect, it } from 'vitest';",
    replace: "import { describe as all, expect, it } from 'vitest';\n\nconst describe = all.skip;",
    mutated: 'lib/publish/shortened.ts',
  },
];

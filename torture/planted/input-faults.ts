import type { PlantedFault } from './planted-fault.ts';

/** Faults in reading what strangers and the service send. */
export const inputFaults: readonly PlantedFault[] = [
  {
    name: 'no-depth-limit',
    what: 'JSON may be nested as deeply as it likes.',
    check: 'hostile',
    file: 'lib/json/parse-json.ts',
    find: "  if (depthLeft === 0) return 'too-deep';\n",
    replace: '',
  },
  {
    name: 'key-in-own-field-only',
    what: 'A key is masked in its own field, and nowhere else.',
    check: 'hostile',
    file: 'lib/callback/mask-keys.ts',
    find: 'keys.filter(({ length }) => length >= minStrayKeyLength),',
    replace: '[],',
  },
  {
    name: 'digits-rounded',
    what: 'Numbers are read as JavaScript reads them.',
    check: 'hostile',
    file: 'lib/json/parse-json.ts',
    find: 'return ok(bareNumber.test(text) ? withExactNumbers(text) : value);',
    replace: 'return ok(value);',
  },
];

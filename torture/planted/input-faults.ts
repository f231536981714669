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
    find: 'const value = untold.test(text) ? withQuotedNumbers(text) : sent;',
    replace: 'const value = sent;',
  },
  {
    name: 'bodies-kept',
    what: 'Every body is kept in the module.',
    check: 'hostile',
    file: 'functions/receive-callback/check-request.ts',
    find: 'const refusalOf = (event: APIGatewayProxyEventV2, secretSha256: string | undefined): RefusalReason | undefined => {',
    replace:
      'const bodies: unknown[] = [];\nconst refusalOf = (event: APIGatewayProxyEventV2, secretSha256: string | undefined): RefusalReason | undefined => {\n  bodies.push(event.body);',
  },
  {
    name: 'surrogate-fails',
    what: 'A lone surrogate, which is no character, makes an error.',
    check: 'hostile',
    file: 'lib/callback/fold-keys.ts',
    find: 'textOfJson(value)?.toWellFormed()',
    replace: "(encodeURIComponent(textOfJson(value) ?? ''), textOfJson(value)?.toWellFormed())",
  },
  {
    name: 'slow-expression',
    what: 'A regular expression takes the square of the length of a text.',
    check: 'hostile',
    file: 'lib/record/reading.ts',
    find: '    if (value === undefined) return undefined;',
    replace: '    if (value === undefined) return undefined;\n    if (/x+y/.test(value)) return value;',
  },
  {
    name: 'stranger-by-name',
    what: 'Who names no key is believed by a user name, without the secret address too.',
    check: 'hostile',
    file: 'lib/account/check-sender.ts',
    find: 'if (keys.length === 0 && !secretProven)',
    replace: 'if (keys.length === 0 && users.length === 0 && !secretProven)',
  },
];

import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { optionsFrom } from '../../sandbox/cli/options.ts';

const problemOf = (args: readonly string[], environment = {}) => {
  const options = optionsFrom(args, environment);
  return options.ok ? undefined : options.problem;
};

describe('optionsFrom', () => {
  it('has a default for every flag', () => {
    const ports = { port: 3000, dynamodbPort: 8000, providerPort: 4000 };
    expect(optionsFrom([], {})).toEqual({
      ok: true,
      value: {
        ...ports,
        provider: undefined,
        traffic: true,
        data: undefined,
        analytics: undefined,
        deadLetterSeconds: 86_400,
        accounts: undefined,
        callbackSecret: undefined,
      },
    });
  });

  it('reads every flag', () => {
    const args =
      '--port 0 --dynamodb-port 0 --provider-port=0 --provider https://x.example/ --no-traffic --data d --analytics lake --dead-letters-after 120 --quiet --verbose';
    expect(optionsFrom(args.split(' '), {})).toMatchObject({
      value: {
        port: 0,
        dynamodbPort: 0,
        providerPort: 0,
        provider: 'https://x.example',
        traffic: false,
        data: resolve('d'),
        analytics: resolve('lake'),
        deadLetterSeconds: 120,
        quiet: true,
        verbose: true,
      },
    });
  });

  it('reads the flags of a demonstration', () => {
    expect(optionsFrom(['--demo', '--seed', '7', '--data', 'd', '--personal'], {})).toMatchObject({
      value: { demo: true, seed: 7, data: resolve('d'), personal: true, traffic: true },
    });
  });

  it.each([
    ['--seed 7', '--seed is of a demonstration. Use it with --demo.'],
    ['--demo --provider https://x.example', '--demo has a contact centre of its own. Leave out --provider.'],
    ['--demo --no-traffic', '--demo is traffic: its contact centre goes on. Leave out --no-traffic.'],
    ['--demo --seed x', expect.stringContaining('It must be a whole number from 0 to 9999999')],
  ])('rejects %s', (args, problem) => {
    expect(problemOf(args.split(' '))).toEqual(problem);
  });

  it('reads accounts and callback secret from the environment', () => {
    const acme = { userName: 'acme', apiKeys: ['k1'], timeZone: 'Europe/Paris', token: { kind: 'none' } };
    const callbackSecret = 'hush-hush-hush-hush';
    const environment = { CALLFEED_ACCOUNTS: JSON.stringify([acme]), CALLFEED_CALLBACK_SECRET: callbackSecret };
    expect(optionsFrom([], environment)).toMatchObject({ value: { accounts: [acme], callbackSecret } });
  });

  it('rejects a callback secret that could not be deployed, without repeating it', () => {
    expect(optionsFrom([], { CALLFEED_CALLBACK_SECRET: 'hush' })).toEqual({
      ok: false,
      problem: expect.stringMatching(/^CALLFEED_CALLBACK_SECRET must be 16 to 128 (?!.*hush)/),
    });
  });

  it.each([
    ['an unknown flag', ['--prot', '1'], '--prot', 'npm start -- --help lists the flags.'],
    ['an argument that is no flag', ['3000'], '3000', 'npm start -- --help lists'],
    ['a flag without its value', ['--port'], '--port', 'npm start -- --help lists the flags.'],
    ['a port that is no number', ['--port', 'http'], '--port', 'from 0 to 65535'],
    ['a port that is too large', ['--dynamodb-port', '65536'], '--dynamodb-port', 'from 0 to 65535'],
    ['a negative port', ['--provider-port=-1'], '--provider-port', 'from 0 to 65535'],
    ['two equal ports', ['--port', '8000'], '--dynamodb-port', 'must differ'],
    ['a provider that is no address', ['--provider', 'localhost'], '--provider', 'https'],
    ['a provider of another protocol', ['--provider', 'ftp://x'], '--provider', 'https'],
    ['a provider without TLS elsewhere', ['--provider', 'http://x.example'], '--provider', 'https'],
    ['dead letters at once', ['--dead-letters-after', '0'], '--dead-letters-after', 'from 1 to 1209600'],
    ['an empty folder', ['--data='], '--data', 'folder'],
    ['a file in place of a folder', ['--data', 'package.json'], '--data', 'and no file'],
    ['a file of analytics', ['--analytics', 'package.json'], '--analytics', 'and no file'],
    ['an empty folder of analytics', ['--analytics='], '--analytics', 'folder'],
  ])('rejects %s, and names what is allowed', (_what, args, named, allowed) => {
    expect(problemOf(args)).toContain(named);
    expect(problemOf(args)).toContain(allowed);
    // The problem is not pushed off the screen by the help.
    expect(problemOf(args)?.split('\n')).toHaveLength(1);
  });

  it('takes a folder below a file for one that is to be made, which starting then cannot', () => {
    expect(problemOf(['--data', 'package.json/data'])).toBeUndefined();
  });

  const hush = '"userName":"acme","apiKeys":["hush"]';
  it.each([
    ['text that is not JSON', '{', 'CALLFEED_ACCOUNTS'],
    ['an account without keys', '[{"userName":"acme","apiKeys":[]}]', '[0].apiKeys'],
    [
      'an account without token, for its polls',
      `[{${hush},"timeZone":"UTC"}]`,
      '[0].token: Expected how polls get their',
    ],
    ['a time zone that is none', `[{${hush},"timeZone":"Mars"}]`, '[0].timeZone'],
  ])('rejects %s, and names the field but no value', (_what, CALLFEED_ACCOUNTS, named) => {
    const problem = problemOf([], { CALLFEED_ACCOUNTS });

    expect(problem).toContain(named);
    expect(problem).not.toContain('hush');
  });
});

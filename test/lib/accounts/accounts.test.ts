import { describe, expect, it } from 'vitest';
import { accountIndex, keyFingerprint } from '../../../lib/accounts/account-index.ts';
import {
  accountsPlaceholder,
  isNotSetUp,
  isSameUser,
  parseAccounts,
  rejectPlaceholder,
} from '../../../lib/accounts/accounts.ts';
import { loggableMessage } from '../../../lib/core/result.ts';
import { demoAccount, otherAccount } from '../../fixtures/accounts.ts';

const parse = (value: unknown) => parseAccounts(JSON.stringify(value));
const problemOf = (value: unknown) => {
  const result = parse(value);
  return result.ok ? undefined : result.problem;
};

const account = { userName: 'demo', apiKeys: ['demo-key'], timeZone: 'Asia/Kolkata' };
const polled = { ...account, baseUrl: 'https://service.example', token: { kind: 'none' } };

describe('parseAccounts', () => {
  it.each([
    ['a zone', { timeZone: 'Europe/London' }],
    ['several live keys', { apiKeys: ['a', 'b'] }],
    ['the longest name and key', { userName: 'x'.repeat(255), apiKeys: ['k'.repeat(250)] }],
    ['a key that no header can hold, without polling', { apiKeys: ['№'] }],
    ['senseless words: callbacks must come', { words: { status: { Lost: 'not-answered', Answered: 'x' }, x: {} } }],
    ['shared numbers, even if one is no number: it must not stop callbacks', { sharedNumbers: ['022 4000 1000', 'x'] }],
    ['an https address', { ...polled, baseUrl: 'https://api.example.com/x' }],
    ['an http address of this machine', { ...polled, baseUrl: 'http://127.0.0.1:4000' }],
    ['the same by its name', { ...polled, baseUrl: 'http://localhost:4000/x' }],
    ['the same in IPv6', { ...polled, baseUrl: 'HTTP://[::1]:4000' }],
    ['an address in capitals', { ...polled, baseUrl: 'HTTPS://API.example' }],
    ['a static token', { token: { kind: 'static', value: 't' } }],
    ['addresses to forward to', { forwardTo: ['https://a.b/c', 'https://b.c?code=a@b', 'http://127.0.0.1:5000/x'] }],
    ['a country', { country: 'IN' }],
    ['a generated token', { token: { kind: 'generate' } }],
    ['a token, all set', { token: { kind: 'generate', path: '/ca/token', header: 'X-Token_1', answerField: 'a' } }],
  ])('accepts %s', (_title, part) => {
    expect(parse([{ ...account, ...part }])).toMatchObject({ ok: true, value: [part] });
  });

  const withEverything = {
    ...polled,
    callbacks: 'on',
    apiKeys: ['demo-key', 'next-key'],
    token: { kind: 'static', value: 'Bearer x y' },
    forwardTo: ['https://old.example/callDetails?code=acme', 'https://b.example'],
  };

  it.each<[string, string]>([
    ['a blank', ' '],
    ['a tab', '\t'],
    ['a line end', '\r\n'],
    ['a no-break space', '\u00a0'],
    ['an ideographic space', '\u3000'],
    ['a zero-width space', '\u200b'],
    ['a zero-width no-break space', '\ufeff'],
    ['a word joiner', '\u2060'],
    ['a soft hyphen', '\u00ad'],
    ['a mark of direction', '\u202c'],
    ['a NUL', '\0'],
    ['several of them', ' \u200b\n\u00a0 '],
  ])('leaves out %s at the ends of every value', (_what, blank) => {
    const padded = JSON.stringify([withEverything], (key, value) =>
      typeof value === 'string' && key !== '' ? `${blank}${value}${blank}` : value,
    );

    expect(parseAccounts(padded)).toEqual({ ok: true, value: [withEverything] });
    expect(parseAccounts(`${blank}${JSON.stringify([account])}${blank}`)).toEqual({ ok: true, value: [account] });
  });

  it('counts a key or an address that an account repeats, or has with and without a blank, once', () => {
    const forwardTo = ['https://old.example/x', 'https://old.example/x\u00a0', 'https://old.example/x'];
    const parsed = parseAccounts(
      JSON.stringify([{ ...account, apiKeys: ['demo-key ', 'demo-key', 'other', 'demo-key'], forwardTo }]),
    );

    expect(parsed).toMatchObject({ value: [{ apiKeys: ['demo-key', 'other'], forwardTo: ['https://old.example/x'] }] });
  });

  it.each([
    ['https://service.example/ca_apis', 'https://service.example'],
    ['https://service.example/ca_apis/', 'https://service.example'],
    ['https://service.example/CA_APIS', 'https://service.example'],
    ['https://service.example/x/ca_reports', 'https://service.example/x'],
    ['https://service.example/ca_apis/getAgentLogins', 'https://service.example'],
    ['https://service.example/ca_apis/CAToken/generateToken', 'https://service.example'],
    ['https://service.example/ca_reports/fetchCdrByPagination', 'https://service.example'],
    ['https://service.example/ca_apis/proxy', 'https://service.example/ca_apis/proxy'],
    ['https://service.example/ca_apis_2', 'https://service.example/ca_apis_2'],
  ])('takes the address %s for %s, to which every request adds its path', (pasted, baseUrl) => {
    expect(parseAccounts(JSON.stringify([{ ...polled, baseUrl: pasted }]))).toEqual({
      ok: true,
      value: [{ ...polled, baseUrl }],
    });
  });

  it('corrects the letter case of a zone', () => {
    expect(parse([{ ...account, timeZone: ' asia/kolkata' }])).toEqual({ ok: true, value: [account] });
  });

  /** A value that may be a secret; no message may repeat it. */
  const secret = 'SENTINEL';

  it.each([
    ['[0].userName', [{ ...account, userName: '' }]],
    ['[0].userName', [{ ...account, userName: secret.repeat(40) }]],
    ['[0].userName', [{ ...account, userName: 7 }]],
    ['[0]', [null]],
    ['[0].apiKeys', [{ userName: 'demo' }]],
    ['[0].apiKeys', [{ ...account, apiKeys: [] }]],
    ['[0].apiKeys', [{ ...account, apiKeys: secret }]],
    ['[0].apiKeys', [{ ...polled, apiKeys: secret }]],
    ['[0].apiKeys[1]', [{ ...account, apiKeys: [secret, ''] }]],
    ['[0].apiKeys[0]', [{ ...account, apiKeys: [secret.repeat(40)] }]],
    ['[0].apiKeys[0]', [{ ...account, apiKeys: [' \u200b'] }]],
    ['accounts', [account, { ...account, userName: `${account.userName}\n`, apiKeys: [secret] }]],
    ['[0].baseUrl', [{ ...account, baseUrl: secret }]],
    ['[0].baseUrl', [{ ...account, baseUrl: `ftp://${secret}` }]],
    ['[0].baseUrl', [{ ...account, baseUrl: `http://${secret}.example` }]],
    ['[0].baseUrl', [{ ...account, baseUrl: `http://127.0.0.1.${secret}.example` }]],
    ['[0].baseUrl', [{ ...account, baseUrl: 'http://localhost.example' }]],
    ['[0].baseUrl', [{ ...account, baseUrl: `https:${secret}` }]],
    ['[0].baseUrl', [{ ...account, baseUrl: `https://${secret}:99999` }]],
    ['[0].baseUrl', [{ ...account, baseUrl: `https://service.example/?tenant=${secret}` }]],
    ['[0].baseUrl', [{ ...account, baseUrl: `https://someone:${secret}@service.example` }]],
    ['[0].forwardTo', [{ ...account, forwardTo: `https://${secret}.example` }]],
    ['[0].forwardTo[0]', [{ ...account, forwardTo: [`http://${secret}.example`] }]],
    ['[0].forwardTo[0]', [{ ...account, forwardTo: [`http://${secret}.example?x=127.0.0.1`] }]],
    ['[0].forwardTo[0]', [{ ...account, forwardTo: [`https://x:${secret}@a.example?code=acme`] }]],
    ['[0].forwardTo[0]', [{ ...account, forwardTo: [`https://a.example?code=acme#${secret}`] }]],
    ['[0].forwardTo', [{ ...account, forwardTo: [1, 2, 3, 4].map((port) => `https://${secret}.example:${port}`) }]],
    ['[0].apiKeys', [{ ...polled, apiKeys: [`${secret} №`] }]],
    ['[0].timeZone', [{ userName: secret, apiKeys: [secret] }]],
    ['[0].timeZone', [{ ...account, timeZone: secret }]],
    ['[0].words', [{ ...account, words: secret }]],
    ['[0].sharedNumbers', [{ ...account, sharedNumbers: secret }]],
    ['[0].sharedNumbers', [{ ...account, sharedNumbers: Array(1_001).fill(secret) }]],
    ['[0].sharedNumbers[1]', [{ ...account, sharedNumbers: [secret, 7] }]],
    ['[0].words.status', [{ ...account, words: { status: secret } }]],
    ['[0].token', [{ ...account, baseUrl: `https://${secret}.example` }]],
    ['[0].token', [{ ...polled, token: secret }]],
    ['[0].token.kind', [{ ...account, token: { kind: secret } }]],
    ['[0].token.value', [{ ...account, token: { kind: 'static' } }]],
    ['[0].token.path', [{ ...account, token: { kind: 'generate', path: '' } }]],
    ['[0].token.value', [{ ...account, token: { kind: 'static', value: `${secret}\n${secret}` } }]],
    ['[0].token.path', [{ ...account, token: { kind: 'generate', path: `https://${secret}` } }]],
    ['[0].token.header', [{ ...account, token: { kind: 'generate', header: `x ${secret}` } }]],
    ['[0].token', [{ ...account, token: { kind: 'none', value: secret } }]],
    ['[0].token.value', [{ ...account, token: { kind: 'static', value: '\n' } }]],
    ['[0].token.path', [{ ...account, token: { kind: 'generate', path: `/token?${secret}` } }]],
    ['[0].token.path', [{ ...account, token: { kind: 'generate', path: `/token ${secret}` } }]],
    ['[0].baseUrl', [{ ...account, baseUrl: `shttp://${secret}` }]],
    ['[0].baseUrl', [{ ...account, baseUrl: `httpsx://${secret}` }]],
    ['[0]', [{ ...account, tokens: secret }]],
    ['[1]', [account, secret]],
    ['[1].userName', [account, { apiKeys: [secret] }]],
    ['accounts', { accounts: [account] }],
    ['accounts', []],
    ['accounts', [account, { ...account, apiKeys: [secret] }]],
    ['accounts', [account, { ...account, userName: 'DEMO', apiKeys: [secret] }]],
    ['accounts', [account, { ...account, userName: 'other' }]],
  ])('names the faulty field %s, and repeats no value', (place, value) => {
    expect(
      problemOf(value)
        ?.split('; ')
        .map((part) => part.split(/: (?:Expected|An?) /)[0]),
    ).toContain(place);
    expect(problemOf(value)).not.toContain(secret);
  });

  it('names every faulty field at once', () => {
    const problem = problemOf([{ userName: '', apiKeys: [''], baseUrl: 'x', timeZone: 'x', token: { kind: 'x' } }]);

    expect(problem?.split('; ')).toHaveLength(5);
    for (const place of ['userName', 'apiKeys[0]', 'baseUrl', 'timeZone', 'token.kind'])
      expect(problem).toContain(`[0].${place}: `);
  });

  const noZone = /timeZone: .*IANA time zone.*Asia\/Kolkata.*StartTime of a call/;
  const unknownFields = { token: { kind: 'static', value: 'a', path: '/b', header: 'c' } };
  it.each<[string, object, string | RegExp]>([
    ['a static token', { token: { kind: 'static', value: 'a\nb' } }, '[0].token.value: Expected printable ASCII'],
    ['a country', { country: 'India' }, '[0].country: Expected the two letters of a country'],
    ['a path', { token: { kind: 'generate', path: 'x' } }, '[0].token.path: Expected a path that begins with /'],
    ['a header', { token: { kind: 'generate', header: 'a b' } }, '[0].token.header: Expected the name of a header'],
    ['a field', { token: { kind: 'generate', answerField: '' } }, 'token.answerField: Expected the name of a field'],
    ['a word', { words: { status: { Lost: '' } } }, '[0].words.status.Lost: Expected a word'],
    ['an address', { baseUrl: 'https://a.example/?b' }, '[0].baseUrl: Expected an https address without query'],
    ['a polling key', { apiKeys: ['№'] }, '[0].apiKeys: Expected printable ASCII characters in the first key'],
    ['fields', unknownFields, '[0].token: Expected no field path, header, but only kind, value'],
    // What to choose, and how to find out.
    ['a zone', { timeZone: undefined }, noZone],
    ['a zone that there is', { timeZone: 'IST+5' }, noZone],
    ['a token', { token: undefined }, /token: .*"none".*"generate".*"static".*like wrong credentials/],
    ['a kind of token that there is', { token: { kind: 'x' } }, /token\.kind: .*"none".*"generate".*"static"/],
  ])('explains what is expected of %s', (_title, part, problem) => {
    expect(problemOf([{ ...polled, ...part }])).toMatch(problem);
  });

  it.each([
    [10, '[9]: Expected an object'],
    [11, 'and 1 more'],
    [12, 'and 2 more'],
  ])('names the first 10 of %d problems', (count, last) => {
    const parts = problemOf(Array.from({ length: count }, () => 'x'))?.split('; ') ?? [];

    expect(parts.slice(0, 10)).toEqual(Array.from({ length: 10 }, (_, index) => `[${index}]: Expected an object`));
    expect(parts).toHaveLength(Math.min(count, 11));
    expect(parts.at(-1)).toBe(last);
  });

  it('names what occurs twice', () => {
    expect(problemOf([account, { ...account, apiKeys: ['b'] }])).toContain('userName');
    expect(problemOf([account, { ...account, userName: 'other' }])).toContain('apiKey');
  });

  it.each(['', '[', '{"userName"', 'SENTINEL'])('reports that %j is no JSON, without repeating it', (text) => {
    const result = parseAccounts(text);

    expect(result).toMatchObject({ ok: false, problem: expect.stringMatching(/JSON/) });
    expect(JSON.stringify(result)).not.toContain('SENTINEL');
  });
});

const errorFor = (text: string): unknown => {
  try {
    return rejectPlaceholder(text);
  } catch (error) {
    return error;
  }
};

describe('the accounts’ placeholder', () => {
  it('never changes: CloudFormation would write the new text over everybody’s accounts', () => {
    expect(accountsPlaceholder).toBe('REPLACE THIS TEXT WITH THE JSON LIST OF ACCOUNTS');
  });

  it.each([
    ['unchanged', accountsPlaceholder],
    ['with the space that an editor adds', ` ${accountsPlaceholder}\n`],
  ])('is rejected with a message on what to do, %s', (_title, text) => {
    const error = errorFor(text);

    expect(isNotSetUp(error)).toBe(true);
    expect(loggableMessage(error)).toMatch(/placeholder.*JSON list of accounts.*README/);
  });

  it.each(['[]', '', accountsPlaceholder.toLowerCase()])('is not the text %j', (text) => {
    expect(errorFor(text)).toBeUndefined();
  });

  it.each([
    ['another fault', new Error('AccountsNotSetUp')],
    ['an object that is no error', { name: 'AccountsNotSetUp' }],
  ])('is not the cause of %s', (_title, error) => {
    expect(isNotSetUp(error)).toBe(false);
  });
});

it('no account is found by a fingerprint that keys of two accounts share', () => {
  const one = 'key-8337';
  const two = 'key-15029';
  const indexOf = (...keys: readonly (readonly string[])[]) =>
    accountIndex(
      [demoAccount, otherAccount].slice(0, keys.length).map((each, at) => ({ ...each, apiKeys: keys[at] })) as never,
    );

  expect(keyFingerprint(one)).toBe(keyFingerprint(two));
  expect(indexOf([one], [two]).accountForFingerprint(keyFingerprint(one))).toBeUndefined();
  expect(indexOf([one, two]).accountForFingerprint(keyFingerprint(one))).toMatchObject({ userName: 'demo' });
});

it('the fingerprint of a key is the first 8 hexadecimal characters of the SHA-256', () => {
  expect(keyFingerprint('demo-key')).toBe('c48a01f4');
});

it('a user is the same in any letter case', () => {
  expect(['DEMO', 'demo2'].map((name) => isSameUser('demo', name))).toEqual([true, false]);
});

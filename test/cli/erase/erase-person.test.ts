import { describe, expect, it } from 'vitest';
import { isAgentIn, withoutAgent } from '../../../cli/erase/agent-rows.ts';
import { agent } from '../../../cli/erase/erase-agent.ts';
import { customerSearch, customerToErase } from '../../../cli/erase/erase-customer.ts';
import { eraseCall, type Person, withoutPersonInEntry } from '../../../cli/erase/erase-person.ts';
import { renormaliseRow } from '../../../cli/renormalise/renormalise-row.ts';
import { bodyOf, notStorableBody, quarantineEntry } from '../../../lib/callback/store-or-park.ts';
import { recordDelivery } from '../../../lib/calls/record-delivery.ts';
import { plainText } from '../../../lib/core/encoding.ts';
import type { Row, VersionedRows } from '../../../lib/storage/rows.ts';
import { demoAccount } from '../../fixtures/accounts.ts';
import { generousDeadline, memoryVersionedRows, unavailable } from '../../support/memory-ports.ts';
import { callKey, decompressed, normalisedRecords } from '../../support/posted-records.ts';
import { demoCall } from '../../support/sandbox.ts';

const bare = '9876500000';
const search = (typed: string, ...countries: readonly string[]) =>
  customerSearch(typed, countries) ?? { search: (plain: string) => plain, isSameNumber: () => undefined };
const identity = { account: 'demo', agentId: 'asha', pseudonym: 'erased-00000000' };
const erasedAt = '2026-12-01T00:00:00.000Z';
const settings = { retentionDays: 9, clock: () => new Date(erasedAt) };

describe('a telephone number', () => {
  const masked = (typed: string, text: string, ...countries: readonly string[]) =>
    search(typed, ...countries).search(plainText(text), 'X');

  it.each(['+919876500000', '0091 98765-00000', '919876500000', '09876500000', '9876500000', ' (098765) 00000\n'])(
    'typed as %s is found in any spelling, and in no other number and no time',
    (typed) => {
      const spellings = [
        bare,
        `0${bare}`,
        `+91${bare}`,
        `91${bare}`,
        `0091${bare}`,
        '+91 (0)98765-00000',
        '98765 000 00',
        ...['98765_00000', '98765/00000', '98.76:50|00/00', '98,765,00000'],
        ...['98765 \u2022 00000', '98\u200b76\u200b500000', '\u{1d7eb}876500000'],
        ...['९८७६५०००००', '٩٨٧٦٥-٠٠٠٠٠', '+９１ ９８７６５０００００', '⁹⁸⁷⁶⁵⁰⁰⁰⁰⁰', '⑨❽⑦⑥➄⓪⓪⓪⓪⓪'],
        ...['9️⃣8️⃣7️⃣6️⃣5️⃣0️⃣0️⃣0️⃣0️⃣0️⃣', '9\u03328\u03327\u03326\u033250000\u00ad0'],
      ];
      for (const spelling of spellings) expect(masked(typed, `a ${spelling}.`)).toMatch(/^a \(?X\.$/);
      expect(masked(typed, `?from=%2B91${bare}&to=a%20${bare}`)).toMatch(/^\?from=\+?X&to=a X$/);
      for (const other of [`${bare}1`, `1234${bare}`, '987650000', '98765/00/11/22000'])
        expect(masked(typed, other)).toBe(other);
    },
  );

  it('is not found in a time, nor with another country’s code if it has one', () => {
    expect(masked('+1 202 611 2110', '2026-11-21 10:00:00, 2026-11-21T10:00Z and 202-611-2110')).toBe(
      '2026-11-21 10:00:00, 2026-11-21T10:00Z and X',
    );
    expect(masked('+4520261121', '2026-11-21, 20 26 11 21')).toBe('2026-11-21, X');
  });

  it.each([
    ['+919876500000', '+1 9876500000'],
    ['+919876500000', '+1 987-650-0000'],
    ['+4579460123', '+44 20 7946 0123'],
    ['+6591234567', '022-91234567'],
    ['0151 23456789', '512 3456789'],
    ['+4520261102', 'https://rec.example/20261102/abc.mp3'],
    ['+4520261102', '20261102093000'],
    ['+4520112026', 'on 20/11/2026, 10:05'],
    ['+4510051130', 'from 10:05 to 11:30'],
  ])('typed as %s is not found in somebody else’s number, nor in a date: %s', (typed, other) => {
    expect(masked(typed, other)).toBe(other);
  });

  it.each([
    ['call back 2026-11-23 9876500000', 'call back 2026-11-23 X'],
    ['2026-11-02 919876500000', '2026-11-02 X'],
    ['at 10:05 98765\u201300000', 'at 10:05 X'],
  ])('is found behind a date or a time: %s', (text, expected) => {
    expect(masked('+919876500000', text)).toBe(expected);
  });

  const noNumbers = [
    ...['', 'asha', '12345', '+91 12345', '+', '( )', '+21', 'mr rao@example.com', 'Sharma'],
    ...['9.88E+09', '9.8765E9'],
  ];
  it.each([...noNumbers, '9876500000/9876500001'])('is not %j', (typed) =>
    expect(customerSearch(typed)).toBeUndefined(),
  );

  it.each([
    ['rao@example.com', 'mail Rao@Example.com, please', 'mail X, please'],
    ['rao@example.com', '<rao@example.com>;RAO@EXAMPLE.COM.', '<X>;X.'],
    ['rao@example.com', 'mrao@example.com rao@example.com.au x.rao@example.com', undefined],
    [' @asha_rao\n', 'from @asha_rao: hello', 'from X: hello'],
    ['@asha_rao', 'x@asha_rao @asha_rao2', undefined],
    ['live:.cid.1a2b', 'live:.cid.1a2b', 'X'],
    ['wxid-7', 'wxid-7/wxid-77', 'X/wxid-77'],
    ['राव@उदाहरण.भारत', 'राव@उदाहरण.भारत', 'X'],
    ['a@b.c', 'mail ａ＠ｂ．ｃ, please', 'mail X, please'],
    ['ａ＠b.c', 'a﹫b.c', 'X'],
  ])('may be an address instead: %s in %s', (typed, text, expected = text) => {
    expect(masked(typed, text)).toBe(expected);
  });

  it.each([
    ['9876500000', '{"x":"\\u0969 \\u096f\\u096e\\u096d\\u096c\\u096b\\u0966\\u0966\\u0966\\u0966\\u0966"}'],
    ['9876500000', 'data=%E0%A5%AF%E0%A5%AE%E0%A5%AD%E0%A5%AC%E0%A5%AB00000'],
    ['rao@example.com', 'mail=Rao%40example.com'],
    ['rao@example.com', '{"mail":"rao\\u0040example.com"}'],
  ])('is found in a text that was sent encoded: %s in %s', (typed, text) => {
    expect(customerToErase(search(typed), undefined).isInText(text)).toBe(true);
  });
});

/** A table of what these records make, each posted on its own. */
const tableOf = async (...records: readonly (object | readonly object[])[]) => {
  const rows = memoryVersionedRows();
  const record = recordDelivery({ rows, ...settings });
  const post = async (posted: object | readonly object[], at: string) => {
    const outcomes: string[] = [];
    for (const { key, delivery } of normalisedRecords([posted].flat(), undefined, at).deliveries)
      outcomes.push(await record(key, delivery, generousDeadline()));
    return outcomes;
  };
  for (const [second, one] of records.entries()) await post(one, `2026-11-20T06:00:0${second}.000Z`);
  const callRows = (callId: string) =>
    rows.select().filter((row) => row['callId'] === callId && row['kind'] !== 'agent-entry');
  const erase = (person: Person, callId = '1') =>
    eraseCall({ rows, ...settings })(callRows(callId), person, generousDeadline());
  return { rows, post, erase, callRows, text: () => decompressed(JSON.stringify(rows.select())) };
};

const whole = {
  ...demoCall('1', { CallerID: '+91 98765-00000', AgentID: 'asha -> ravi', AgentName: 'Asha Rao -> Ravi K' }),
  DialedNumber: bare,
  Comments: 'Mr Bose, with Asha Rao',
  AudioFile: 'https://x.example/1.mp3, https://x.example/2.mp3',
  UUI: 'SkillTransfer-77~Bose',
  TransferredTo: `asha -> 0${bare}`,
  AgentPhoneNumber: '0801',
  HoldDuration: `x${bare}`,
  Email: 'bose@example.com',
};
const participant = { UCID: '1', AgentName: 'Asha Rao', ParticipantNumber: '0801', Audio: 'https://x.example/p.mp3' };
const poorer = { ...demoCall('1', { CallerID: '0811', Status: 'NotAnswered' }), Comments: 'Bose again' };

describe('erasing a customer', () => {
  const person = customerToErase(search(bare), undefined);

  it('leaves counts, times and words, and nothing of the customer', async () => {
    const { erase, rows, callRows, text } = await tableOf([whole, participant], poorer);
    const [before] = callRows('1');

    expect(await erase(person)).toBe(2);
    expect(text()).not.toMatch(/98765|Bose|bose|mp3/);
    const [call, leg] = callRows('1');
    expect(call).toMatchObject({
      revision: 2,
      version: 3,
      recordedAt: erasedAt,
      customerNumber: 'erased',
      dialledNumber: 'erased',
      comments: ['erased'],
      recordings: ['erased'],
      uui: 'erased',
      transferredTo: ['asha', 'erased'],
      linkedCallId: '77',
      agentNames: ['Asha Rao', 'Ravi K'],
      notes: [{ asSent: 'xerased' }],
      deliveries: [{ erasedAt }, { erasedAt, differences: { customerNumber: '0811' } }],
    });
    for (const name of ['startedAt', 'endedAt', 'status', 'callDurationSeconds', 'agentIds', 'listedAt', 'expiresAt'])
      expect(call?.[name]).toEqual(before?.[name]);
    expect(call).not.toHaveProperty('customerCalls');
    expect(leg).toMatchObject({ revision: 2, recordings: ['erased'], agentName: 'Asha Rao' });
    expect(rows.select().find(({ kind }) => kind === 'agent-entry')).toMatchObject({ customerNumber: 'erased' });

    const once = rows.select();
    expect(await erase(person)).toBe(0);
    expect(rows.select()).toEqual(once);
  });

  it('goes on after it was stopped between two rows', async () => {
    const { rows, erase, callRows, text } = await tableOf([whole, participant]);
    const tables = [rows.putNextVersion, unavailable];
    const stopping: VersionedRows = { putNextVersion: (...put) => (tables.shift() ?? unavailable)(...put) };
    const stopped = eraseCall({ rows: stopping, ...settings })(callRows('1'), person, generousDeadline());

    await expect(stopped).rejects.toThrow();
    expect(await erase(person)).toBe(1);
    expect(text()).not.toMatch(/98765|Bose|bose|mp3/);
  });

  it.each([
    ['the customer first', [person, agent(identity)]],
    ['the agent first', [agent(identity), person]],
  ])('follows or precedes an agent of the same call: %s', async (_title, persons) => {
    const others = { CallerID: '0811', DialedNumber: '', TransferredTo: 'asha', HoldDuration: '' };
    const { erase, text } = await tableOf({ ...whole, ...others }, { ...poorer, CallerID: `sip:${bare}@pbx.example` });

    // What was sent goes with the first of them, so the other is found by the facts.
    for (const erasing of persons) expect(await erase(erasing)).toBe(1);
    expect(text()).not.toMatch(/98765|Bose|mp3|asha|pbx/i);
  });

  it('keeps a repeat a duplicate, even one that was parked before, and survives renormalise', async () => {
    const { erase, post, rows } = await tableOf([whole, participant]);
    await erase(person);
    const once = rows.select();

    for (const at of ['2026-11-20T05:00:00.000Z', '2026-12-02T00:00:00.000Z'])
      expect(await post([whole, participant], at)).toEqual(['duplicate', 'duplicate']);
    const again = renormaliseRow({ rows, ...settings, isDryRun: false });
    const london = { ...demoAccount, timeZone: 'Europe/London' } as never;
    for (const row of once.filter(({ kind }) => kind !== 'agent-entry'))
      expect((await again(row, london, generousDeadline())).changedFields).toEqual([]);
    expect(rows.select()).toEqual(once);
  });

  it.each<[string, Person]>([
    ['a customer', person],
    ['an agent', agent(identity)],
  ])('takes what was sent as a list or an object from the calls of %s', async (_whose, erasing) => {
    const nested = { Comments: { by: 'Mr Bose' }, AgentName: ['Asha Rao'], Email: undefined };
    const { erase, callRows, text } = await tableOf({ ...whole, ...nested });
    expect(text()).toMatch(/Mr Bose.*Asha Rao|Asha Rao.*Mr Bose/);

    expect(await erase(erasing)).toBe(1);
    expect(text()).not.toMatch(/Mr Bose|Asha Rao/);
    expect(callRows('1')[0]?.['notes']).toContainEqual({ field: 'comments', reason: 'not-a-scalar', asSent: 'erased' });
    expect(await erase(erasing)).toBe(0);
  });

  it('erases what only the text as sent holds, without a revision', async () => {
    const { erase, callRows, text } = await tableOf({ ...demoCall('1', { CallerID: '' }), Type: [bare] });

    expect(await erase(person)).toBe(1);
    expect(text()).not.toContain(bare);
    expect(callRows('1')[0]).toMatchObject({ version: 2, deliveries: [{ erasedAt }] });
  });

  it('touches no other call, and no other account’s', async () => {
    const { erase, rows } = await tableOf(poorer);
    const before = rows.select();

    expect(await erase(person)).toBe(0);
    expect(await erase(customerToErase(search('0811'.padEnd(9, '0')), undefined))).toBe(0);
    const others = await tableOf(whole);
    expect(await others.erase(customerToErase(search(bare), 'other'))).toBe(0);
    expect(rows.select()).toEqual(before);
  });

  it('fails if the table rejects the row', async () => {
    const { callRows } = await tableOf(whole);
    const rows = { putNextVersion: async () => ({ kind: 'rejected' }) as const };

    const erasing = eraseCall({ rows, ...settings })(callRows('1'), person, generousDeadline());
    await expect(erasing).rejects.toThrow('rejects');
  });
});

describe('erasing an agent', () => {
  const person = agent(identity);

  it('leaves the recordings of the calls, unless they are to go too', async () => {
    const links = { AudioFile: 'https://x/1.mp3', CallerConfAudioFile: 'https://x/2.mp3' };
    const { erase, callRows } = await tableOf({ ...whole, ...links });
    await erase(person);
    const [kept] = callRows('1');
    expect(kept).toMatchObject({ recordings: ['https://x/1.mp3'], conferenceRecordings: ['https://x/2.mp3'] });

    expect(await erase(agent(identity, true))).toBe(1);
    expect(callRows('1')).toMatchObject([{ recordings: ['erased'], conferenceRecordings: ['erased'] }]);
    expect(await erase(agent(identity, true))).toBe(0);
  });

  it('puts the pseudonym in place of id and names, and moves the call to it in the lists', async () => {
    const comments = { Comments: 'Mr Bose on 0811, with Asha Rao on 0802' };
    const own = { ...participant, ParticipantNumber: '0802' };
    const customers = { UCID: '1', ParticipantNumber: '0811', Audio: 'https://x.example/q.mp3' };
    const { erase, rows, callRows, text } = await tableOf([{ ...whole, ...comments }, own, customers]);

    expect(await erase(person)).toBe(2);
    expect(text()).not.toMatch(/asha|080/i);
    expect(callRows('1')).toMatchObject([
      {
        agentIds: ['erased-00000000', 'ravi'],
        agentNames: ['erased', 'erased'],
        agentPhoneNumber: 'erased',
        agentCalls: 'demo#erased-00000000',
        transferredTo: ['erased-00000000', `0${bare}`],
        comments: ['Mr Bose on 0811, with erased-00000000 on erased-00000000'],
        customerNumber: '+91 98765-00000',
      },
      { participantNumber: '0811', revision: 1 },
      { agentName: 'erased', participantNumber: 'erased', recordings: ['https://x.example/p.mp3'] },
    ]);
    expect(rows.select().filter(({ kind }) => kind === 'agent-entry')).toMatchObject([{ agentCalls: 'demo#ravi' }]);
    expect(await erase(person)).toBe(0);
  });

  it('leaves the names of others where calls were only transferred to the agent', async () => {
    const about = { AgentName: 'Ravi K', TransferredTo: 'asha', Comments: 'from Ravi K to Asha' };
    const transferred = demoCall('1', { AgentID: 'ravi', ...about });
    const { erase, callRows } = await tableOf(transferred, demoCall('2', { AgentID: 'ashanti', CallerID: 'asha' }));

    expect([await erase(person), await erase(person, '2')]).toEqual([1, 0]);
    expect(callRows('1')[0]).toMatchObject({
      agentNames: ['Ravi K'],
      transferredTo: ['erased-00000000'],
      comments: ['from Ravi K to erased-00000000'],
    });
  });

  it.each([
    ['so short that other text may contain it, as an id only', '7', '7, up', '7, up'],
    ['in any letter case, as a whole word', 'ann', 'ANN, Joann, ann', 'erased-00000000, Joann, erased-00000000'],
    ['with signs that mean something in a pattern, as it is', 'a.b', 'a.b, axb', 'erased-00000000, axb'],
  ])('takes an id %s', async (_, agentId, comment, expected) => {
    const call = demoCall('1', { AgentID: agentId, AgentName: '' });
    const { erase, callRows } = await tableOf({ ...call, TransferredTo: agentId, Comments: comment });

    expect(await erase(agent({ ...identity, agentId }))).toBe(1);
    expect(callRows('1')[0]).toMatchObject({
      agentIds: ['erased-00000000'],
      transferredTo: ['erased-00000000'],
      comments: [expected],
    });
  });

  it('finds name and telephone number of the agent in any dress', async () => {
    const call = demoCall('1', { AgentID: 'asha', AgentName: 'Asha Rao', AgentPhoneNumber: '+449870012345' });
    const Comments = 'ＡＳＨＡ ＲＡＯ on 0987/001/2345, ⁹⁸⁷⁰⁰¹²³⁴⁵, not 0987/001/2346';
    const { erase, callRows } = await tableOf({ ...call, Comments });

    expect(await erase(person)).toBe(1);
    expect(callRows('1')[0]).toMatchObject({
      comments: ['erased-00000000 on erased-00000000, erased-00000000, not 0987/001/2346'],
    });
  });

  it('replaces the agent in a timeline and in a snapshot', () => {
    const facts = { state: 'ready', skills: ['x'] };
    const seen = { agentId: 'asha', name: 'Asha', phoneNumber: '0801', extra: { a: 'b' }, ...facts };
    const other = { ...seen, agentId: 'ravi' };
    const row: Row = { kind: 'floor', counts: { ready: 2 }, since: null, agents: [seen, other] };

    expect([isAgentIn(row, 'asha'), isAgentIn({ agents: [other] }, 'asha')]).toEqual([true, false]);
    const agents = [{ agentId: 'erased-00000000', ...facts }, other];
    expect(withoutAgent(row, identity)).toEqual({ ...row, agents });
  });
});

describe('erasing from quarantine', () => {
  const entryOf = (body: string, account: string | undefined = 'demo') =>
    quarantineEntry({ reason: 'too-deep', account, body, receivedAt: '2026-11-20T06:00:00.000Z' });
  const without = (person: Person, body: string, account?: string) => {
    const entry = withoutPersonInEntry(entryOf(body, account), person, erasedAt);
    return entry && bodyOf(entry);
  };
  const other = JSON.stringify(demoCall('2', { CallerID: '0811', AgentID: 'ravi' }));
  const mixed = `[ {"UCID":"1","CallerID":"${bare}"}, ${other}, {"UCID":1,"ParticipantNumber":"0801"}, {"UCID":2}, 7]`;
  const longer = `{"n":"${bare}","random":"${Array.from({ length: 90_000 }, (_, index) => index).join(' ')}"}`;
  const persons = {
    customer: customerToErase(search(bare), 'demo'),
    agent: agent(identity),
    'agent of two words': agent({ ...identity, agentId: 'asha rao' }),
  };

  it.each<[about: string, person: keyof typeof persons, body: string, remains: string | undefined]>([
    ['a record', 'customer', JSON.stringify(whole), 'erased'],
    ['broken JSON', 'customer', `{"CallerID": 0${bare}, `, 'erased'],
    ['a compressed body', 'customer', longer, 'erased'],
    ['a list of the person’s call alone', 'customer', JSON.stringify([whole]), 'erased'],
    ['a list with other calls', 'customer', mixed, `[${other},{"UCID":2},7]`],
    ['a record that no row could hold', 'customer', notStorableBody(callKey, JSON.stringify(whole)), 'erased'],
    ['a record of the agent that no row could hold', 'agent', notStorableBody(callKey, '{"AgentID":"asha"}'), 'erased'],
    ['another number', 'customer', other, undefined],
    ['a record of the agent', 'agent', '{"agent_id":"ravi -> asha"}', 'erased'],
    ['a numeric id', 'agent', '{"AgentID":1001}', undefined],
    ['records without an id', 'agent', '[{"AgentID":null},{"AgentID":""}]', undefined],
    ['a list of ids', 'agent', '{"AgentID":["ravi","asha"]}', 'erased'],
    ['a text about an id', 'agent', '{"Comments":"AgentID: asha, {x"}', undefined],
    ['a text in JSON about an id', 'agent', '"AgentID: asha"', 'erased'],
    ['broken JSON of the agent', 'agent', '{"AgentID": "asha", ', 'erased'],
    ['a form with JSON in it', 'agent', 'data=%7B%22AgentID%22%3A%22asha%22', 'erased'],
    ['a form with a blank in the id', 'agent of two words', 'AgentID=ravi+-%3E+asha+rao', 'erased'],
    ['JSON with JSON in it', 'agent', JSON.stringify({ data: [' {"AgentID":"asha"}', '{'] }), 'erased'],
    ['broken JSON with JSON in it', 'agent', String.raw`{"data":"{\"AgentID\":\"asha\"`, 'erased'],
    ['what came after an erasure', 'agent', '{"AgentID":"erased-00000000"}', 'erased'],
    ['broken JSON of another agent', 'agent', '{"AgentID": "ravi", "x": "asha"', undefined],
  ])('%s', (_, person, body, remains) => expect(without(persons[person], body)).toBe(remains));

  it('keeps about the entry what names nobody, and entries of other accounts', () => {
    expect(withoutPersonInEntry(entryOf(longer), persons.customer, erasedAt)).toEqual({
      reason: 'too-deep',
      account: 'demo',
      receivedAt: '2026-11-20T06:00:00.000Z',
      body: 'erased',
      erasedAt,
    });
    expect(without(persons.customer, bare, 'other')).toBeUndefined();
    expect(without(customerToErase(search(bare), undefined), bare, 'other')).toBe('erased');
    const strangers = { ...entryOf(bare), account: undefined };
    expect(withoutPersonInEntry(strangers, persons.customer, erasedAt)?.body).toBe('erased');
  });
});

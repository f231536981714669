import fc from 'fast-check';
import { it } from 'vitest';
import { parseReport } from '../../../functions/reconcile-calls/call-report.ts';
import { storeReport } from '../../../functions/reconcile-calls/store-report.ts';
import { accountIndex } from '../../../lib/accounts/account-index.ts';
import type { Account } from '../../../lib/accounts/accounts.ts';
import { specificationParticipant, specificationSummary } from '../../fixtures/calls.ts';
import { weighted } from '../../support/arbitraries.ts';
import { generousDeadline, memoryVersionedRows } from '../../support/memory-ports.ts';
import { isFull, must, mustHappen, tryCases } from '../property.ts';
import { fieldChanges, recordChanges } from './changes.ts';
import { inOneRecord, type JsonNode, nodeOf, oneOf, sometimes, styles, written } from './json-nodes.ts';
import { accounts, createReceiver } from './receiver.ts';
import { eventOf, formPost, jsonPost } from './requests.ts';
import { misreadTexts } from './stored-texts.ts';

const known: readonly Account[] = accounts.map((account) => ({ ...account, apiKeys: [...account.apiKeys] }));

/** Texts in which JSON that people and scripts glue together is broken, and accents, which Unicode can write in two ways. */
const comments = "It's late:\n\tcall back tomorrow, Zoe\u0308 and José";

/** A string with line ends and an apostrophe as they should not be. */
const gluedString = (text: string): string =>
  `"${[...text].map((one) => ({ '\n': '\n', '\t': '\t', "'": "\\'" })[one] ?? JSON.stringify(one).slice(1, -1)).join('')}"`;

const glued = { space: '', quoted: gluedString };
const withLastComma = (text: string): string => text.replace(/[}\]]\s*$/, (end) => `,${end}`);

/** What mending adds, and nothing else, is wrong with most of these texts. */
const roots: readonly JsonNode[] = [
  { ...specificationSummary, Comments: comments },
  [{ ...specificationSummary, Comments: comments }, specificationParticipant],
  { data: [{ ...specificationSummary, Comments: comments }], Apikey: 'demo-key' },
].map((value) => nodeOf(JSON.stringify(value)));

const sentTexts = fc
  .record({
    root: fc.constantFrom(...roots),
    change: sometimes(recordChanges, 60, 3),
    style: weighted([1, styles], [2, fc.constant(glued)]),
    hasLastComma: fc.boolean(),
    isForm: fc.boolean(),
  })
  .map(({ root, change, style, hasLastComma, isForm }) => {
    const text = written(change(root), style);
    const sent = hasLastComma ? withLastComma(text) : text;
    return { sent, isForm, [fc.toStringMethod]: () => sent.slice(0, 2_000) };
  });

const receiver = createReceiver('open');

it('what is kept of a callback reads the same again, mended JSON too', async () => {
  const counters = await tryCases(sentTexts, isFull ? 20_000 : 300, async ({ sent, isForm }) => {
    const post = isForm ? formPost(`data=${encodeURIComponent(sent.toWellFormed())}`) : jsonPost(sent);
    const { calls } = await receiver.receive(eventOf(post));
    const problems = await misreadTexts(calls, known);
    must(problems.length === 0, () => `${problems.join('\n')}\n\nSent: ${sent.slice(0, 2_000)}`);
    return { stored: Math.min(1, calls.length), mended: calls.length > 0 && !isJson(sent) ? 1 : 0 };
  });
  mustHappen(counters, 'stored', 'mended');
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

const reported = nodeOf(
  JSON.stringify({
    CallID: '41781234567890123',
    CallDate: '2026-11-20',
    StartTime: '09:00:00',
    EndTime: '09:05:00',
    Status: 'Answered',
    CallerID: '09000000042',
    AgentID: 'asha',
    Comments: 'call+back',
    UCID: '5101',
  }),
);

const reports = fc
  .record({
    change: sometimes(inOneRecord(oneOf(...fieldChanges)), 90, 4),
    style: styles,
    count: fc.constantFrom(1, 2),
  })
  .map(({ change, style, count }) => written(change(Array<JsonNode>(count).fill(reported)), style));

it('what is kept of the call report reads the same again', async () => {
  const [account] = known;
  if (account === undefined) throw new Error('no account');
  const { redact } = accountIndex(known);
  const counters = await tryCases(reports, isFull ? 20_000 : 300, async (details) => {
    const page = parseReport({ status: 200, text: `{"status":"success","details":${details}}` });
    if (!page.ok) return { refused: 1, stored: 0 };
    const rows = memoryVersionedRows();
    const read = async (keys: readonly object[]) => rows.select((key) => keys.some((one) => Object(one).pk === key.pk));
    const store = { rows, read, retentionDays: 730, clock: () => new Date('2026-11-21T00:00:00.000Z') };
    const context = { account, day: '2026-11-20', redact, settledBy: '9999', isDryRun: false, counted: undefined };
    await storeReport(store, page.value, {
      ...context,
      rows: undefined,
      begunAt: '2026-11-21T00:00:00.000Z',
      signal: generousDeadline(),
    });
    const problems = await misreadTexts(rows.select(), known);
    must(problems.length === 0, () => `${problems.join('\n')}\n\nReported: ${details.slice(0, 2_000)}`);
    return { refused: 0, stored: Math.min(1, rows.select().length) };
  });
  mustHappen(counters, 'stored');
});

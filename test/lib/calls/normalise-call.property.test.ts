import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withDerived } from '../../../lib/calls/call-record.ts';
import { instantOf, secondsFrom } from '../../../lib/core/time.ts';
import { wireCallFields, wireParticipantFields } from '../../../lib/telephony/call-fields.ts';
import { idOf, nonBlank } from '../../../lib/telephony/posted-fields.ts';
import { callVocabularies } from '../../../lib/telephony/vocabularies.ts';
import { anyCharacter, holds } from '../../support/arbitraries.ts';
import { normalisedRecords } from '../../support/posted-records.ts';

/** Values that are easily lost on the way: chains, words, times, odd text, numbers, nested values. */
const value = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: anyCharacter, maxLength: 6 }),
  fc.constantFrom(
    'Answered',
    'Agent Hangup',
    'DND',
    'a -> b',
    'a->b',
    ' -> a',
    '-> x ->',
    'None',
    '-',
    'a,b',
    'SkillTransfer-7~a',
    '0',
    'N/A',
  ),
  fc.constantFrom(
    '00:01:00',
    'soon',
    '2026-11-20 11:00:00',
    '2026-11-20 10:00:00',
    'https://r/1,https://r/2',
    'https://r/1->https://r/2',
    '__proto__',
  ),
  fc.constantFrom('x'.repeat(40), '9'.repeat(120), 'y'.repeat(600)),
  fc.integer().map(String),
);

const unknownKey = fc.oneof(
  fc.string({ maxLength: 5 }),
  fc.constantFrom('SkillID', 'AnswerTime', 'DID', 'did', 'MonitorUcid', ''),
);
const key = (fields: readonly string[]) =>
  fc.oneof({ arbitrary: fc.constantFrom(...fields), weight: 4 }, { arbitrary: unknownKey, weight: 1 });

const isUsable = (name: string) =>
  !['__proto__', 'constructor', 'prototype'].includes(name) && !/api[_-]?key|username/i.test(name);

const post = (fields: readonly string[], base: object) =>
  fc
    .uniqueArray(fc.tuple(key(fields).filter(isUsable), value), { maxLength: 25, selector: ([name]) => name })
    .map((entries) => ({ ...Object.fromEntries(entries), ...base }));

const words = Object.values(callVocabularies);

/** Everything that a record says, flat: what a value could be found as. */
const textsIn = (record: unknown): readonly string[] => {
  if (record === null || typeof record !== 'object') return [String(record)];
  return Object.values(record).flatMap(textsIn);
};

/** What a sent value may be found as: itself, its parts, or what it means. */
const isFound = (sent: string, found: readonly string[]): boolean => {
  const text = sent.toWellFormed();
  const meanings = [
    text.trim(),
    String(secondsFrom(text.trim())),
    instantOf(text.trim(), 'Asia/Kolkata')?.at,
    ...words.map(({ byFolding }) =>
      byFolding.get(
        text
          .trim()
          .toLowerCase()
          .replace(/[\s_-]+/g, ''),
      ),
    ),
  ];
  return meanings.some((meaning) => meaning !== undefined && found.includes(meaning)) || partsAreFound(text, found);
};

const partsAreFound = (text: string, found: readonly string[]): boolean => {
  const parts = text.split(/->|,(?=\s*(?:https|$))/).flatMap((part) => nonBlank(part) ?? []);
  return (parts.length > 1 || parts[0] !== text.trim()) && parts.every((part) => isFound(part, found));
};

/** Whether a value means that there is none: a placeholder only in place of an id, separators only in place of links. */
const isBlank = (name: string, sent: string): boolean =>
  nonBlank(sent) === undefined ||
  (/^(callid|ucid|datauniqueid)$/i.test(name) && idOf(sent) === undefined) ||
  (/^(audio|audiofile|callerconfaudiofile)$/i.test(name) && !/[^\s,;|>-]/.test(sent));

const lost = (posted: Readonly<Record<string, unknown>>): readonly string[] => {
  const { deliveries, unrecognised } = normalisedRecords([posted]);
  const found = textsIn([
    ...deliveries.map(({ key: name, delivery }) => [name, withDerived(delivery.facts)]),
    unrecognised,
  ]);

  return Object.entries(posted)
    .map(([name, sent]) => [name, String(sent)] as const)
    .filter(([name, sent]) => !isBlank(name, sent) && !isFound(sent, found))
    .map(([, sent]) => sent);
};

describe('a record', () => {
  it('holds every value of a call summary: as it was sent, by its meaning, or in a note', () => {
    holds(
      fc.property(post(wireCallFields, { CallerID: '1', Status: 'Answered' }), (posted) => {
        expect(lost(posted)).toEqual([]);
      }),
      600,
    );
  });

  it('holds every value of a participant record: as it was sent, by its meaning, or in a note', () => {
    holds(
      fc.property(post(wireParticipantFields, { UCID: '1', ExitStatus: 'x' }), (posted) => {
        expect(lost(posted)).toEqual([]);
      }),
      400,
    );
  });
});

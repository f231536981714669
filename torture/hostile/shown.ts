import { inspect } from 'node:util';
import type { TriedAnswer } from './answers/try-answer.ts';
import type { Tried } from './requests/try-request.ts';

const mostCharacters = 6_000;

const shortened = (text: string): string =>
  text.length <= mostCharacters ? text : `${text.slice(0, mostCharacters)}… (${text.length} characters)`;

const shownValue = (value: unknown): string =>
  shortened(inspect(value, { depth: 8, maxStringLength: 2_000, breakLength: 120 }));

/** A request and what came of it, for a person to read. */
export const shown = ({ request, trial, breaches }: Tried): string =>
  [
    `changes: ${request.marks.join(', ')}; deployment: ${request.deployment}`,
    `headers: ${JSON.stringify(request.posted.headers)}; query: ${shortened(request.posted.query)}`,
    `body: ${shortened(request.posted.body?.toString() ?? '(none)')}`,
    `answers: ${shownValue(trial.answers)}`,
    `calls: ${shownValue(trial.calls)}`,
    `quarantine: ${shownValue(trial.quarantine)}`,
    `${trial.cpuMicroseconds} µs of CPU time`,
    ...(breaches.length === 0 ? ['Nothing was broken.'] : breaches.map((breach) => `BROKEN: ${breach}`)),
    '',
  ].join('\n');

/** An answer of getAgentLogins and what came of it, for a person to read. */
export const shownAnswer = ({ hostile, trial, outcome, breaches }: TriedAnswer): string =>
  [
    `changes: ${hostile.marks.join(', ')}; token: ${hostile.token}${hostile.isOfToken ? ', which is asked for again' : ''}`,
    `answer: ${shownValue(hostile.answer)}`,
    `what it was taken for: ${outcome}`,
    `rows before: ${shownValue(trial.rows[0])}`,
    `rows then: ${shownValue(trial.rows[1])}`,
    `rows after the good answer: ${shownValue(trial.rows[2])}`,
    `log: ${shortened(trial.lines.join(''))}`,
    ...(breaches.length === 0 ? ['Nothing was broken.'] : breaches.map((breach) => `BROKEN: ${breach}`)),
    '',
  ].join('\n');

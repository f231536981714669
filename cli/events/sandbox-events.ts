import { Problem } from '../problem.ts';

const answerMs = 10_000;

/** How events are read that a sandbox keeps. */
export interface Reading {
  readonly follow: boolean;
  readonly signal: AbortSignal;
}

/** Every event that a sandbox has had, as lines of JSON; with `follow`, each new one too, until the signal aborts. */
export async function* sandboxEvents(address: string, { follow, signal }: Reading): AsyncGenerator<string> {
  const late = new AbortController();
  const patience = setTimeout(() => late.abort(), answerMs);
  try {
    const answer = await fetch(follow ? `${address}?follow` : address, {
      signal: AbortSignal.any([signal, late.signal]),
    });
    clearTimeout(patience);
    if (answer.body !== null) yield* linesOf(answer.body.pipeThrough(new TextDecoderStream()));
  } catch (error) {
    if (signal.aborted) return;
    throw error instanceof TypeError || late.signal.aborted ? new Problem('The sandbox answers no more.') : error;
  } finally {
    clearTimeout(patience);
  }
}

async function* linesOf(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of texts) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new Problem('The sandbox broke off in the midst of an event.');
}

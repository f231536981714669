import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { Problem } from '../frame/problem.ts';
import { answerTimeoutMs } from '../frame/sandbox.ts';

export async function* sandboxEvents(
  address: string,
  { follow, last, signal }: { readonly follow: boolean; readonly last?: number; readonly signal: AbortSignal },
): AsyncGenerator<string> {
  const url = new URL(address);
  if (follow) url.searchParams.set('follow', '');
  if (last !== undefined) url.searchParams.set('last', String(last));
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), answerTimeoutMs);
  try {
    const answer = await fetch(url, {
      signal: AbortSignal.any([signal, timeout.signal]),
    });
    clearTimeout(timer);
    if (!answer.ok) throw new Problem(`The sandbox’s bus answers its events with status ${answer.status}.`);
    if (answer.body !== null) yield* splitLines(answer.body.pipeThrough(new TextDecoderStream()));
  } catch (error) {
    if (signal.aborted) return;
    throw error instanceof TypeError || timeout.signal.aborted ? new Problem('The sandbox no longer answers.') : error;
  } finally {
    clearTimeout(timer);
  }
}

async function* splitLines(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const text of texts) {
    const lines = `${rest}${text}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new Problem('The sandbox closed the connection in the middle of an event.');
}

export async function* fileLines(file: string): AsyncGenerator<string> {
  try {
    yield* createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
    throw new Problem(`${file} cannot be read (${code}).`, 2);
  }
}

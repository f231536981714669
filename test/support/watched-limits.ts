import { vi } from 'vitest';

/** Every time limit that is set from now on, until mocks are restored. `pass` lets all of them pass that were set so far. */
export const watchedLimits = () => {
  const limits: { readonly milliseconds: number; readonly end: AbortController }[] = [];
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const end = new AbortController();
    limits.push({ milliseconds, end });
    return end.signal;
  });
  return {
    /** The limits in milliseconds, but for the first ones. */
    since: (first: number) => limits.slice(first).map(({ milliseconds }) => milliseconds),
    count: () => limits.length,
    /** Whether a signal is one of them: one of before may have been made when its module was loaded. */
    has: (signal: AbortSignal) => limits.some(({ end }) => end.signal === signal),
    pass: () => {
      for (const { end } of limits) end.abort(new DOMException('The operation timed out.', 'TimeoutError'));
    },
  };
};

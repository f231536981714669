/**
 * The Retry-After header in seconds, where it can be understood: as a number, or as an instant by the clock of whoever
 * sent it, which need not be ours.
 */
export const retryAfterSeconds = (headers: Headers): number | undefined => {
  const text = headers.get('retry-after') ?? '';
  if (/^\d+$/.test(text)) return Number(text);

  const seconds = Math.ceil((instantOf(text) - instantOf(headers.get('date') ?? '')) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds);
};

/** `Date.parse` would take almost anything for a date. */
const instantOf = (text: string): number => (/^\w{3}, .* GMT$/.test(text) ? Date.parse(text) : Number.NaN);

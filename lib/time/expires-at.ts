const dayS = 86_400;

/** When a row may be deleted that is kept for so many days from an instant, in seconds since the epoch. */
export const expiresAt = (from: string, days: number): number => Math.floor(Date.parse(from) / 1000) + days * dayS;

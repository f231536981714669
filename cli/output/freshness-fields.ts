import type { Freshness } from '../../client/index.ts';

/** How old a picture is, for programs: the fields in which each object about a floor says so. */
export const freshnessFields = (picture: Freshness) => ({
  freshness: picture.freshness,
  ...(picture.freshness !== 'none' && { asOf: picture.asOf, ageSeconds: picture.ageSeconds }),
});

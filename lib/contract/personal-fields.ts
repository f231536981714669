/** What events say of people: all that is known, or nothing. The rows have it all either way. */
export const personalFields = ['keep', 'leave-out'] as const;
export type PersonalFields = (typeof personalFields)[number];

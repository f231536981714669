/** Whether events hold personal data. The rows always do. */
export const personalFields = ['keep', 'leave-out'] as const;
export type PersonalFields = (typeof personalFields)[number];

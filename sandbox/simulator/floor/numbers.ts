import { between, type Random } from '../random.ts';

/** Ranges a regulator (Ofcom) keeps for fiction, a thousand numbers each: nobody answers them. */
const ranges = { customer: '447700900', agent: '441632960', campaign: '442079460' } as const;

/** The number at an index of a fictitious range; the index wraps after a thousand. */
export const numberAt = (range: keyof typeof ranges, index: number): string =>
  `${ranges[range]}${String(index % 1000).padStart(3, '0')}`;

/** Some customer's number. */
export const customerNumber = (random: Random): string => numberAt('customer', between(random, 0, 999));

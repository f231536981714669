import { call, day, missedDay } from './open-console.ts';

/** Every view, and what shows that it has its data. */
export const views: readonly (readonly [hash: string, filled: string])[] = [
  ['#/floor', '.agents .item'],
  [`#/calls?${day}`, '.calls .item'],
  [`#/calls?${missedDay}&state=open`, 'section .item'],
  [`#/call/${call}`, '.deliveries li'],
  [`#/agent/zoe?${day}`, '.totals tr'],
  [`#/day?${day}`, '.groups tbody tr'],
  ['#/events', '.event'],
  ['#/health', '.card + .card'],
  ['#/day?from=2026-11-20&to=2026-11-21', '.groups tbody tr'],
];

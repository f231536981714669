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

/** Views that ask for a person, so that a console that hides people refuses them; and calls as they are only where people are shown. */
export const viewsOfPeople: typeof views = [
  ['#/customer/9840012345', '.calls .item'],
  ['#/call/70000000000000001', '.wait'],
];

import { dollarFigure, figure } from './figures.ts';
import type { Month } from './month-of.ts';
import { prices, type Quantities } from './prices.ts';
import { dollarsFor, dollarsOf, pricedIn, together } from './quantities-of.ts';
import type { Report } from './report.ts';
import type { Table } from './table.ts';

/** What a month costs in dollars, by service and by cause. */
export const monthTable = ({ months }: Report): Table => {
  const row = (name: string, dollars: (month: Month) => number) => [
    name,
    ...months.map(({ month }) => dollarFigure(dollars(month))),
  ];
  return {
    head: [
      '$ a month',
      ...months.map(({ volume }) => `${figure(volume.callsADay)} calls a day, ${volume.agents} agents`),
    ],
    rows: [
      ...servicesIn(months).map((service) => row(service, (month) => dollarsAt(service, allOf(month)))),
      row('total', (month) => dollarsOf(allOf(month))),
      row('of it for calls', ({ calls }) => dollarsOf(calls)),
      row('of it for agents', ({ agents }) => dollarsOf(agents)),
      row('of it fixed', ({ fixed }) => dollarsOf(fixed)),
    ],
  };
};

/** The lines of the bill, without those of what this deployment does not have. */
const servicesIn = (months: Report['months']): readonly string[] => {
  const all = together(...months.map(({ month }) => allOf(month)));
  const used = pricedIn(all).filter((name) => all[name] !== 0);
  return [...new Set(used.map((name) => prices[name].service))];
};

const allOf = ({ calls, agents, fixed }: Month): Quantities => together(calls, agents, fixed);

const dollarsAt = (service: string, quantities: Quantities): number =>
  pricedIn(quantities)
    .filter((name) => prices[name].service === service)
    .reduce((dollars, name) => dollars + dollarsFor(name, quantities[name]), 0);

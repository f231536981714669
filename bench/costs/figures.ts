/** A number with its thousands set apart, and no more decimals than it needs. */
export const figure = (value: number): string => value.toLocaleString('en-US', { maximumFractionDigits: 1 });

/** Dollars: to the cent where there are few, whole ones where there are many. */
export const dollarFigure = (dollars: number): string => {
  const digits = dollars < 100 ? 2 : 0;
  return dollars.toLocaleString('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
};

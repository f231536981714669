/** A measured value with as many digits as mean something. */
export const rounded = (value: number, digits = 1): number => Number(value.toFixed(digits));

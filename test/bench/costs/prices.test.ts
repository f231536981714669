import { describe, expect, it } from 'vitest';
import { priceList, prices } from '../../../bench/costs/prices.ts';

describe('every price', () => {
  it.each(Object.entries(prices))('of %s says in which unit it is, and on which page of AWS it stands', (_, price) => {
    expect(price.page).toMatch(/^https:\/\/aws\.amazon\.com\/[a-z-]+\/pricing\/([a-z-]+\/)?$/);
    expect(price.unit).not.toBe('');
    expect(price.dollars / price.per).toBeGreaterThan(0);
  });

  it('is of one region and one day', () => {
    expect(priceList).toEqual({ region: 'us-east-1', date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) });
  });
});

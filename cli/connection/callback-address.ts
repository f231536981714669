/** The address that callbacks are posted to, below the one that a deployment has. */
export const callbackAddress = (base: string, secret: string | undefined): string =>
  [base.replace(/\/$/, ''), ...(secret === undefined ? [] : [encodeURIComponent(secret)]), 'callDetails'].join('/');

/** Where to find a deployment, as the user says. */
export interface Where {
  readonly stack: string;
  /** Of a running sandbox; then the others are of no account. */
  readonly endpoint?: string | undefined;
  readonly region?: string | undefined;
  readonly profile?: string | undefined;
}

/** The account whose calls are simulated. */
export interface Account {
  readonly userName: string;
  readonly apiKey: string;
  /** IANA zone in which the service writes this account's times. */
  readonly timeZone: string;
}

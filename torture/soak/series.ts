/** What is looked at again and again, and must stay where it is. */
export interface Sample {
  /** Seconds from the start. */
  readonly at: number;
  readonly heap: number;
  readonly rss: number;
  readonly timers: number;
  readonly resources: number;
  readonly files: number;
  readonly reply: number;
  readonly lag: number;
  /** How old the agents' picture is; none before the first poll. */
  readonly pollAge: number | undefined;
}

/** A series of which growth is a leak, or a service that gets slower. */
export interface Series {
  readonly name: 'heap' | 'rss' | 'timers' | 'resources' | 'files' | 'reply' | 'lag';
  readonly what: string;
  readonly unit?: string;
}

/** All series that have to stay flat. */
export const series: readonly Series[] = [
  { name: 'heap', what: 'live heap', unit: 'MB' },
  { name: 'rss', what: 'resident memory', unit: 'MB' },
  { name: 'timers', what: 'timers' },
  { name: 'resources', what: 'sockets and other resources' },
  { name: 'files', what: 'open files' },
  { name: 'reply', what: 'reply, median', unit: 'ms' },
  { name: 'lag', what: 'row to event, median', unit: 'ms' },
];

import type { AlarmSpec } from './alarm.ts';
import { allRefused } from './comparisons.ts';
import { own } from './metrics.ts';
import type { Watched } from './watched.ts';

/** What can go wrong with whom Callfeed believes, and with what it understands. */
export const senderAlarms = (watched: Watched) =>
  ({
    AccountsUnreadable: {
      impact:
        'Without its accounts Callfeed believes nobody: callbacks are answered with 503, and agents are not polled.',
      runbook: 'accounts-unreadable',
      metric: own(watched, 'AccountsUnreadable'),
      threshold: 1,
    },
    AccountsOutdated: {
      impact:
        'The accounts cannot be read again: Callfeed goes on with the last ones, and a key changed since is not known.',
      runbook: 'accounts-outdated',
      metric: own(watched, 'AccountsOutdated', { minutes: 30 }),
      threshold: 3,
    },
    AccountRefused: {
      impact: 'Posts in the name of an account are refused: its calls are not recorded, though those of others may be.',
      runbook: 'account-refused',
      metric: own(watched, 'AccountRefused', { minutes: 60 }),
      threshold: 3,
    },
    EveryCallbackRefused: {
      impact: 'The telephony service posts, and every post is refused: calls are not recorded.',
      runbook: 'every-callback-refused',
      metric: allRefused(watched),
      threshold: 1,
    },
    QuarantineGrows: {
      impact: 'Callbacks arrive that are not understood: calls may be missing from tables and events.',
      runbook: 'quarantine-grows',
      metric: own(watched, 'CallbackRecordsQuarantined', { minutes: 15 }),
      threshold: 10,
    },
    QuarantineDropsPosts: {
      impact: 'Strangers post more than is kept of them: a call with a misspelt key could be among what is dropped.',
      runbook: 'quarantine-drops-posts',
      metric: own(watched, 'QuarantineDropped'),
      threshold: 1,
    },
  }) satisfies Readonly<Record<string, AlarmSpec>>;

/** A key that is not of the app: its policy is written by whoever owns it. */
export const kmsKeyArn = 'arn:aws:kms:eu-west-1:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab';

/** A secret that must not be found in anything that is synthesised. */
export const sentinelSecret = 'SENTINEL-0123456789-abcdef';

/** The deployments that stand for all others: as it comes, with everything that can be switched on, and with the least. */
export const configurations = {
  'no settings': {},
  everything: {
    stage: 'dev',
    dataProtection: 'off',
    kmsKeyArn,
    alarmEmail: 'ops@example.com',
    subscriberAccounts: '111122223333,444455556666',
    callbackSecret: sentinelSecret,
    personalFieldsInEvents: 'leave-out',
  },
  'the least': { agentPolling: 'off', tracing: 'off', leaveOut: 'archive,schemas,queries,bus-policy' },
} as const;

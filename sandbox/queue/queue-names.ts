/** The queues of the sandbox. */
export const queueNames = {
  parking: 'callfeed-parking',
  deadLetters: 'callfeed-parking-dead-letters',
  ticks: 'callfeed-ticks',
} as const;

/** How often, where it is more than once. */
export const times = (count: number): string => (count === 1 ? '' : ` x${count}`);

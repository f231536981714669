/** Two names can become one when they are made fit to be kept; then the later is numbered, so that no value is lost. */
export const uniqueNames = () => {
  const uses = new Map<string, number>();
  return (name: string): string => {
    const use = (uses.get(name) ?? 0) + 1;
    uses.set(name, use);
    return use === 1 ? name : `${name} (${use})`;
  };
};

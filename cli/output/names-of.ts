/** Several texts as one cell; none is not known. */
export const namesOf = (texts: readonly string[] | undefined): string | undefined => texts?.join(', ');

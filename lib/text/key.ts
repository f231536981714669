/** Parts are joined with `#`; anything but letters, digits and `-_.!~*'()` is percent-encoded, digits stay as they are. */
export const joinedKey = (...parts: readonly string[]): string => parts.map(encodeURIComponent).join('#');

/** What a setting may be that is checked where it is chosen, by `callfeed init`, and where it is deployed. */
export const stageName = {
  /** It is a part of names of resources, and of the commands that pages show. */
  pattern: /^[a-z][a-z0-9-]{0,19}$/,
  expected: 'must be 1 to 20 lower-case letters, digits and hyphens, the first one a letter',
};

export const alarmEmailExpected = 'must be one e-mail address, such as ops@example.com';

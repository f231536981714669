/** Login and name of invented agents; some names test that text survives its encoding. */
export const people = [
  ['asha', 'Asha Rao'],
  ['zoe', 'Zoë Martin'],
  ['li', '李 Wei'],
  ['omar', 'Omar Haddad'],
  ['jose', 'José Peña'],
  ['nora', "Nora O'Neil"],
  ['devi', 'देवी Sharma'],
  ['karl', 'Karl Weiß'],
  ['mina', 'Mina Park'],
  ['tom', 'Tom Baker-Hill'],
  ['ines', 'Inês Rocha'],
  ['yusuf', 'Yusuf Kaya'],
] as const;

/** What an agent may be good at. */
export const skills = ['Sales', 'Support', 'Billing', 'Returns', 'Premium Support'] as const;

/** Where a skill may sit; some have no place. */
export const locations = ['Leeds', 'Lisbon', 'Pune', ''] as const;

import type { IConstruct } from 'constructs';

/** Where a construct lies in Callfeed: `Parking/Queue` for `callfeed-prod/Callfeed/Parking/Queue`. */
export const placeOf = ({ node }: IConstruct): string => node.path.split('/').slice(2).join('/');

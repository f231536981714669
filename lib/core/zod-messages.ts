import { en } from 'zod/locales';
import { config } from 'zod/mini';

// The small build of zod, which functions use for their start's sake, brings no sentences for what is wrong.
config(en());

import { en } from 'zod/locales';
import { config } from 'zod/mini';

// zod/mini, which the functions use to start faster, contains no error messages. This import adds the English ones.
config(en());

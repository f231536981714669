import { en } from 'zod/locales';
import { config } from 'zod/mini';

// zod/mini, with which functions start faster, contains no error messages. This import adds the English ones, unless the
// program that uses the contract has chosen another language.
if (config().localeError === undefined) config(en());

/**
 * A browser without a language, such as one in a container, names one that no format knows. The library of the charts makes a
 * format of it while it loads, which would leave the page blank. Texts of this page do not depend on the language.
 */
try {
  new Intl.NumberFormat(navigator.language);
} catch {
  Object.defineProperty(navigator, 'language', { value: 'en-GB' });
}

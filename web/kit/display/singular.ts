// Singular: of the regular plurals in the titles of lists: `properties` → `property`, `groups` → `group`.
export const singular = (noun: string): string =>
  noun
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1')

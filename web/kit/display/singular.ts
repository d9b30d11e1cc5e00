// Singular: of the plain plurals that lists are titled with: `properties` → `property`, `groups` → `group`.
export const singular = (noun: string): string =>
  noun
    .replace(/ies$/, 'y')
    .replace(/(ss|x|ch|sh)es$/, '$1')
    .replace(/([^s])s$/, '$1')

// Singular: of the plain plurals that lists are titled with: `properties` → `property`, `groups` → `group`.
export const singular = (noun: string): string =>
  noun
    .replace(/ies$/, 'y')
    .replace(/([^s])s$/, '$1')
    .replace(/(batch|box)es?$/, '$1')

// Keys: those of a record, with their type, and what values that come from outside have by one.

/** Only for records that have no more keys than their type declares, as constants do: TypeScript lets an object have others, too. */
export const keysOf = <T extends object>(record: T) => Object.keys(record) as (keyof T & string)[]

/** Of what may be no object, or have nothing by that name: undefined. */
export const partOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined

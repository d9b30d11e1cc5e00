// Raw JSON: what a system says, as it is kept before it is read: the database takes neither U+0000 nor lone surrogates, wherever they are,
// and one in a name is no reason to refuse a whole list. In their place is another sign that nothing is read from either.
const in_its_place = '\\u0001'

/** An escape of one that cannot be kept, or any other escape. */
const escapes = /\\(?:(u0000|ud[89a-f][0-9a-f]{2})|[^])/g

/** JSON has both as escapes alone. */
export const rawJson = (value: unknown) =>
  JSON.stringify(value).replace(escapes, (escape, unfit: string | undefined) => (unfit ? in_its_place : escape))

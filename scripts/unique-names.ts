// Unique names: what the server exports bears a name that nothing else of it has, so that a search for it finds one thing.

/** What is named as its siblings are, and is asked for by whoever has one of them. */
const alike = [
  // What each kind says of itself (its interface is `kind.ts`), and the list of its kinds.
  /^server\/(?:connections|gateways|integrations|property-systems|reports)\/(?:[^/]+\/|kinds\.ts$)/,
  // What a reader of lists asks of each kind of list.
  /^server\/imports\/(?:accounts|devices|rooms|rent-roll)\.ts$/,
  // The rows of tables, written from the schema: named as the tables are.
  /^server\/db\/tables\.ts$/,
]
const test_file = /\.test\.tsx?$/
const exported = /^export (?:async )?(?:const|let|function\*?|class|type|interface|enum) (\w+)/gm

/** The functions, values and types that have a name of others, one line each. */
export function checkNames(files: Map<string, string>): string[] {
  const first = new Map<string, string>()
  const problems: string[] = []
  for (const [file, source] of files) {
    if (!file.startsWith('server/') || test_file.test(file) || alike.some((of) => of.test(file))) continue
    for (const [, name = ''] of source.matchAll(exported)) {
      const other = first.get(name) ?? file
      first.set(name, other)
      // A function may be declared for several kinds of argument, and a value have the name of its type.
      if (other !== file)
        problems.push(`${file}  exports ${name}, as ${other} does: say in the name of one what it is besides the other`)
    }
  }
  return problems
}

// Contract facts: in the browser a module of the contract is split in two, so that a list need not wait for zod and the schemas of
// every form. Plain data (paths, methods, rights, constants) are written out as facts; schemas and functions stay in the whole
// module. A file that uses none of the latter gets only the facts:
//
//   import * as groups from '#contract/groups.ts'
//   call(groups.list, {})                      the facts
//   useResource(groups, groups.GroupInput)     the whole module, too
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'
import { isEndpoint } from '#contract/endpoint.ts'

const root = path.join(import.meta.dirname, '../')

export function contractFacts(): Plugin {
  return {
    name: 'contract-facts',
    enforce: 'pre',
    async resolveId(source, importer = '') {
      const module = /^#contract\/([\w-]+\.ts)$/.exec(source)?.[1]
      if (module === undefined || !importer.startsWith(`${root}web/`)) return null
      const file = `${root}contract/${module}`
      const text = await fs.promises.readFile(importer, 'utf8')
      const { others } = partsOf(await freshly(file))
      return asksForFacts(text, source, others) ? `${file}?facts` : null
    },
    async load(id) {
      const [file = '', part] = id.split('?')
      if (!file.startsWith(`${root}contract/`) || !file.endsWith('.ts')) return null
      this.addWatchFile(file)
      const code = await fs.promises.readFile(file, 'utf8')
      const { facts, others } = partsOf(await freshly(file))
      // A module without zod, or without plain data, is left as it is; one that is asked for its facts is nothing else.
      if (part === 'whole' || (part !== 'facts' && !/from 'zod'$/m.test(code)) || facts.length === 0)
        return { code, moduleType: 'ts', moduleSideEffects: part === 'whole' ? false : null }
      const lines =
        part === 'facts'
          ? facts.map(([name, text]) => `export const ${name} = ${text}`)
          : [
              `export { ${facts.map(([name]) => name).join(', ')} } from '${file}?facts'`,
              `export { ${others.join(', ')} } from '${file}?whole'`,
            ]
      return { code: lines.join('\n'), moduleType: 'js', moduleSideEffects: false }
    },
  }
}

/** Whether a file imports a module as a namespace, and uses none of `others` of it. */
export function asksForFacts(text: string, source: string, others: readonly string[]): boolean {
  const imports = text
    .split('\n')
    .filter((line) => line.endsWith(`from '${source}'`) && !line.startsWith('import type'))
  const module = /^import \* as (\w+) /.exec(imports[0] ?? '')?.[1]
  if (module === undefined || imports.length > 1) return false
  const wholes = [`\\} = ${module}\\b`, ...others.map((name) => `\\b${module}\\.${name}\\b`)]
  return !new RegExp(wholes.join('|')).test(text)
}

/** The exports of a module that can be written out, with their source text, and the names of the others. */
export function partsOf(module: object) {
  const all = Object.entries(module).map(([name, value]) => [name, written(value)] as const)
  return {
    facts: all.filter((one): one is [string, string] => one[1] !== undefined),
    others: all.filter(([, text]) => text === undefined).map(([name]) => name),
  }
}

function written(value: unknown): string | undefined {
  if (!isEndpoint(value)) return isPlain(value) ? JSON.stringify(value) : undefined
  const { input: _input, output: _output, ...facts } = value
  return JSON.stringify(facts)
}

function isPlain(value: unknown): boolean {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return true
  if (typeof value !== 'object') return false
  const isBare = Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype
  return isBare && Object.values(value).every(isPlain)
}

/** Bypasses the module cache, as the file may have changed since it was last imported. */
const freshly = async (file: string): Promise<object> =>
  (await import(`${pathToFileURL(file).href}?${fs.statSync(file).mtimeMs}`)) as object

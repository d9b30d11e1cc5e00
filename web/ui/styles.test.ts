// Styles: each component of `web/ui` imports the styles of every library component that it renders, so that it looks right
// even if it is the first one on a page.
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { constants } from '#contract/constants.ts'
import { breakpoints } from './breakpoints.ts'

const ui = import.meta.dirname
const library = path.resolve(ui, '../../node_modules/@mantine/core')
const components = path.join(library, 'esm/components')

const stylesImportedBy = (file: string) =>
  [...fs.readFileSync(path.join(ui, file), 'utf8').matchAll(/@mantine\/core\/styles\/(.+)\.layer\.css/g)].map(
    ([, name = '']) => name,
  )
/** Styles of library components that ours never show: the library's spinner, and an overlay behind a select's list. */
const unused = (file: string) => ['Loader', ...(file === 'select.tsx' ? ['Overlay'] : [])]
/** The provider is around everything. */
const everywhere = stylesImportedBy('provider.tsx')

/** All modules that `import { Modal } from '@mantine/core'` renders with, through the library's own imports. */
function modulesBehind(name: string): Set<string> {
  const seen = new Set<string>()
  const visit = (file: string) => {
    if (seen.has(file) || !fs.existsSync(file)) return
    seen.add(file)
    for (const [, target = ''] of fs.readFileSync(file, 'utf8').matchAll(/from "(\.[^"]+)"/g))
      visit(path.resolve(path.dirname(file), target))
  }
  visit(path.join(components, name, `${name}.mjs`))
  return seen
}

function stylesNeededBy(name: string): string[] {
  const modules = [...modulesBehind(name)].map((file) => /([^/]+)\.module\.mjs$/.exec(file)?.[1])
  return modules.filter(
    (style) => style !== undefined && fs.existsSync(path.join(library, `styles/${style}.layer.css`)),
  ) as string[]
}

const parts = fs.readdirSync(ui).flatMap((file) => {
  const source = file.endsWith('.tsx') ? fs.readFileSync(path.join(ui, file), 'utf8') : ''
  const imported = /import \{([^}]+)\} from '@mantine\/core'/.exec(source)?.[1] ?? ''
  const names = imported.split(',').map((name) => name.trim().split(' as ')[0] ?? '')
  const drawn = names.filter((name) => fs.existsSync(path.join(components, name, `${name}.mjs`)))
  return drawn.map((name) => [file, name] as const)
})

test('there are components that use the library', () => expect(parts.length).toBeGreaterThan(8))

test.each(parts)('%s imports the styles of %s', (file, name) => {
  const available = [...stylesImportedBy(file), ...everywhere, ...unused(file)]
  expect(stylesNeededBy(name).filter((style) => !available.includes(style))).toEqual([])
})

const sheets = (folder: string): string[] =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(css|tsx?)$/.test(file))
    .map((file) => fs.readFileSync(path.join(folder, file), 'utf8'))
const ours = sheets(path.resolve(ui, '..'))
const libraryStyles = parts
  .flatMap(([file]) => stylesImportedBy(file))
  .concat(everywhere)
  .map((style) => fs.readFileSync(path.join(library, `styles/${style}.layer.css`), 'utf8'))
/** The names in `var(--ink)`. */
const usedIn = (texts: string[]) =>
  new Set(texts.flatMap((text) => [...text.matchAll(/var\(\s*(--[\w-]+)/g)].map(([, name = '']) => name)))
/** The names in `--ink: …`, in a style sheet or in a component's inline style. */
const setIn = (texts: string[]) =>
  new Set(texts.flatMap((text) => [...text.matchAll(/(--[\w-]+)['"\]]*\s*:/g)].map(([, name = '']) => name)))

test('every token that a style uses is set somewhere', () => {
  const set = setIn([...ours, ...libraryStyles])
  const used = [...usedIn(ours)].filter((name) => !/\$\{/.test(name))
  expect(used.length).toBeGreaterThan(30)
  expect(used.filter((name) => !set.has(name))).toEqual([])
})

test('the theme sets only variables that the library’s styles define, and every variable that those use is defined', () => {
  const themed = [...setIn([fs.readFileSync(path.join(ui, 'theme.css'), 'utf8')])].filter((name) =>
    name.startsWith('--mantine-'),
  )
  const known = setIn(libraryStyles)
  expect(themed.length).toBeGreaterThan(20)
  expect(themed.filter((name) => !known.has(name))).toEqual([])
  const unset = [...usedIn(libraryStyles)].filter((name) => name.startsWith('--mantine-') && !known.has(name))
  expect(unset).toEqual([])
})

const files = (folder: string) =>
  fs
    .readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(css|tsx?)$/.test(file) && !file.endsWith('.test.ts'))
    .map((file) => [file, fs.readFileSync(path.join(folder, file), 'utf8')] as const)

test('window widths are written only in breakpoints.ts', () => {
  const named = files(path.resolve(ui, '..')).flatMap(([file, source]) =>
    [...source.matchAll(/(?:@media|matchMedia|useMediaQuery)[^{]*?(?:min|max)-width: ?\d+/g)].map(
      ([found]) => `${file}: ${found}`,
    ),
  )
  expect(named).toEqual([])
  expect(Object.values(breakpoints)).toEqual(expect.arrayContaining([...constants.breakpoints_px]))
})

test('every class of a style sheet is used by a file that imports it', () => {
  const all = files(path.resolve(ui, '..'))
  const unusedClasses = all
    .filter(([file]) => file.endsWith('.module.css'))
    .flatMap(([file, css]) => {
      const importing = all
        .filter(([, source]) => source.includes(`/${path.basename(file)}'`))
        .map(([, source]) => source)
      const selectors = css.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/\{[^{}]*\}/g, '{}')
      const names = new Set([...selectors.matchAll(/\.([a-zA-Z][\w-]*)/g)].map(([, name = '']) => name))
      // A class chosen by value, such as `styles[tone]`, cannot be checked.
      return [...names]
        .filter((name) =>
          importing.every((source) => !source.includes(`styles.${name}`) && !source.includes('styles[')),
        )
        .map((name) => `${file}: .${name}`)
    })
  expect(unusedClasses).toEqual([])
})

// Nearest tests: those that somebody would run who has changed a source: those named after it, those that import it, its folder or its
// part of the contract, and then those of whatever imports it; and of the web app the journeys that name its screens.

import fs from 'node:fs'
import path from 'node:path'

/** A name that more sources have, such as `kind`, says what a file is in its folder, and not what it is about. */
const namesakes_max = 4
/** A folder of a kind, such as `server/gateways/unifi`, is tried as a whole; one of many things is not. */
const kinds_depth = 3
/** What a journey's own name counts, beside each time that it names a screen: `forms` is about `form`. */
const named_after = 100
/** What all of a floor is read by: whoever changes what others call sees it on the page that is drawn of that. */
const drawn = { 'contract/': 'server/api/described.test.ts' }
/** So far up somebody looks for who uses what was changed. */
const importers_deep = 4

/**
 * The nearest first.
 * @param {string[]} sources all of the project, below `root`
 * @returns {{ testsOf: (file: string) => string[], journeysOf: (file: string) => string[] }}
 */
export function openTests(root, sources) {
  const isTest = (file) => /\.test\.tsx?$/.test(file) && !file.startsWith('test/proofs/')
  const importers = new Map()
  const ofFolder = new Map()
  const byName = new Map()
  const nameOf = (file) => path.basename(file).replace(/(?:\.test)?\.tsx?$/, '')
  const add = (map, key, file) => map.set(key, [...(map.get(key) ?? []), file])
  for (const file of sources.filter((name) => /\.tsx?$/.test(name))) {
    add(byName, nameOf(file), file)
    const text = fs.readFileSync(path.join(root, file), 'utf8')
    // Programs are started by their names.
    if (isTest(file)) for (const [, program] of text.matchAll(/'(server\/[\w/-]+\.ts)'/g)) add(importers, program, file)
    for (const [, asked] of text.matchAll(/\bfrom '([#.][^']+)'/g)) {
      const named = asked.startsWith('#') ? asked.slice(1) : path.join(path.dirname(file), asked)
      add(importers, named, file)
      if (isTest(file)) add(ofFolder, path.dirname(named), file)
    }
  }

  /** Named after it: a resource has the same name on every floor. */
  function namesakes(file) {
    const all = byName.get(nameOf(file)) ?? []
    const isCommon = all.filter((one) => !isTest(one)).length > namesakes_max
    const near = (test) => path.dirname(test) === path.dirname(file)
    const tests = all.filter(isTest)
    const more = isCommon ? [] : alike(nameOf(file))
    return [...tests.filter(near), ...(isCommon ? [] : tests.filter((test) => !near(test))), ...more]
  }
  /** Tests of more than that: `room-moves` is about `moves`, too. */
  const alike = (name) =>
    [...byName].flatMap(([other, files]) =>
      other !== name && `-${other}-`.includes(`-${name}-`) ? files.filter(isTest) : [],
    )
  const importing = (file) => (importers.get(file) ?? []).filter(isTest)
  const drawing = (file) => Object.entries(drawn).flatMap(([floor, test]) => (file.startsWith(floor) ? [test] : []))
  function near(file) {
    const folder = path.dirname(file)
    const isKind = folder.split('/').length >= kinds_depth
    return [
      ...namesakes(file),
      ...drawing(file),
      ...importing(file),
      ...(isKind ? (ofFolder.get(folder) ?? []) : []),
      ...importing(`contract/${nameOf(file)}.ts`),
    ]
  }
  /** The file, then who imports it, then who imports those. */
  function* floorsAbove(file) {
    const seen = new Set()
    let files = [file]
    for (let far = 0; far < importers_deep && files.length > 0; far++) {
      yield files
      for (const one of files) seen.add(one)
      const above = files.flatMap((one) => importers.get(one) ?? [])
      files = [...new Set(above)].filter((one) => !isTest(one) && !seen.has(one))
    }
  }
  const journeys = sources
    .filter((file) => /^test\/journeys\/.*\.spec\.ts$/.test(file))
    .map((file) => ({ file, name: nameOf(file), text: fs.readFileSync(path.join(root, file), 'utf8') }))

  return {
    testsOf: (file) => [...new Set([...floorsAbove(file)].flatMap((files) => files.flatMap(near)))],
    journeysOf(file) {
      const screensOf = (files) => files.flatMap((one) => /^web\/resources\/([\w-]+)\//.exec(one)?.[1] ?? [])
      const above = [...floorsAbove(file)].map(screensOf).find((names) => names.length > 0)
      const screens = file.startsWith('web/resources/')
        ? screensOf([file])
        : [nameOf(file).replace(/^use-/, ''), ...(above ?? [])]
      const isAbout = (name, screen) => screen.startsWith(name) || name === `${screen}s`
      const timesIn = ({ name, text }, screen) =>
        text.split(screen).length - 1 + (isAbout(name.split('.')[0], screen) ? named_after : 0)
      const ranked = journeys.map((one) => ({
        ...one,
        times: [...new Set(screens)].reduce((sum, screen) => sum + timesIn(one, screen), 0),
      }))
      return ranked
        .filter(({ times }) => times > 0)
        .toSorted((one, other) => other.times - one.times)
        .map((one) => one.file)
    },
  }
}

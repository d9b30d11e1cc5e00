// Nearest tests: those that somebody would run who has changed a source: those named after it, those that import it, its folder or its
// part of the contract, and otherwise those of whatever imports it.

import fs from 'node:fs'
import path from 'node:path'

/** As many files are run, the nearest first. */
const files_max = 4
/** A name that more sources have, such as `kind`, says what a file is in its folder, and not what it is about. */
const namesakes_max = 4
/** A folder of a kind, such as `server/gateways/unifi`, is tried as a whole; one of many things is not. */
const kinds_depth = 3

/** @param {string[]} sources all of the project, below `root` */
export function openTests(root, sources) {
  const isTest = (file) => /\.test\.tsx?$/.test(file) && !file.startsWith('test/proofs/')
  const importers = new Map()
  const ofFolder = new Map()
  const byName = new Map()
  const nameOf = (file) => path.basename(file).replace(/(?:\.test)?\.tsx?$/, '')
  const add = (map, key, file) => map.set(key, [...(map.get(key) ?? []), file])
  for (const file of sources.filter((name) => /\.tsx?$/.test(name))) {
    add(byName, nameOf(file), file)
    for (const [, asked] of fs.readFileSync(path.join(root, file), 'utf8').matchAll(/\bfrom '([#.][^']+)'/g)) {
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
    return [...tests.filter(near), ...(isCommon ? [] : tests.filter((test) => !near(test)))]
  }
  const importing = (file) => (importers.get(file) ?? []).filter(isTest)
  function near(file) {
    const folder = path.dirname(file)
    const isKind = folder.split('/').length >= kinds_depth
    return [
      ...namesakes(file),
      ...importing(file),
      ...(isKind ? (ofFolder.get(folder) ?? []) : []),
      ...importing(`contract/${nameOf(file)}.ts`),
    ]
  }
  return (file) => {
    const seen = new Set()
    let files = [file]
    for (let far = 0; far < 4 && files.length > 0; far++) {
      const found = [...new Set(files.flatMap(near))]
      if (found.length > 0) return found.slice(0, files_max)
      for (const one of files) seen.add(one)
      files = files.flatMap((one) => importers.get(one) ?? []).filter((one) => !isTest(one) && !seen.has(one))
    }
    return []
  }
}

// Nearest tests: those that somebody would run who has changed a source: those named after it, those that import it, and otherwise those of
// whatever imports it.

import fs from 'node:fs'
import path from 'node:path'

/** As many files are run. */
const files_max = 6

/** @param {string[]} sources all of the project, below `root` */
export function openTests(root, sources) {
  const importers = new Map()
  for (const file of sources.filter((name) => /\.tsx?$/.test(name)))
    for (const [, asked] of fs.readFileSync(path.join(root, file), 'utf8').matchAll(/\bfrom '([#.][^']+)'/g)) {
      const named = asked.startsWith('#') ? asked.slice(1) : path.join(path.dirname(file), asked)
      importers.set(named, [...(importers.get(named) ?? []), file])
    }
  const isTest = (file) => /\.test\.tsx?$/.test(file) && !file.startsWith('test/proofs/')
  const all = new Set(sources.filter(isTest))

  /** Named after it anywhere: a resource has the same name on every floor. */
  const namesakes = (file) => {
    const name = path.basename(file).replace(/\.tsx?$/, '')
    return [...all].filter((test) => path.basename(test).replace(/\.test\.tsx?$/, '') === name)
  }
  return (file) => {
    const found = new Set(namesakes(file))
    let files = [file]
    for (let far = 0; far < 4 && files.length > 0; far++) {
      const next = files.flatMap((one) => importers.get(one) ?? [])
      for (const test of next.filter(isTest)) found.add(test)
      for (const one of far === 0 ? [] : files) for (const test of namesakes(one)) found.add(test)
      if (found.size > 0) break
      files = next.filter((one) => !isTest(one))
    }
    return [...found].slice(0, files_max)
  }
}

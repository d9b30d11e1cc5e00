// People: a cell is one, two or no people, as a reader of its language says (test/fixtures/names.tsv: language, source, cell, people).
//
// `nobel`: names on the list of laureates (nobelprize.org/prizes/lists/all-nobel-prizes), in their own script; `parser`: names of the
// tests of HumanNameParser.php; `w3c`: names in "Personal names around the world" (w3.org/International/questions/qa-personal-names).
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { peopleIn } from './people.ts'

const shown = (cell: string) => peopleIn(cell).map(({ first_name, last_name }) => `${first_name ?? ''}|${last_name}`)

test.each([
  ['Ada Keller', ['Ada|Keller']],
  ['Keller, Ada', ['Ada|Keller']],
  ['Keller', ['|Keller']],
  ['Mr. John Smith', ['John|Smith']],
  ['Dr Ada Keller', ['Ada|Keller']],
  ['Jan van der Berg', ['Jan|van der Berg']],
  ['van der Berg, Jan', ['Jan|van der Berg']],
  ['von Trapp, Maria Augusta', ['Maria Augusta|von Trapp']],
  ['Ada and Ben Keller', ['Ada|Keller', 'Ben|Keller']],
  ['Ada & Ben Keller', ['Ada|Keller', 'Ben|Keller']],
  ['Keller, Ada & Ben', ['Ada|Keller', 'Ben|Keller']],
  ['Ada Keller\nBen Ode', ['Ada|Keller', 'Ben|Ode']],
  ['Ada Keller; Ben Ode', ['Ada|Keller', 'Ben|Ode']],
  ['Ada Keller / Ben Ode', ['Ada|Keller', 'Ben|Ode']],
  ['Ada Keller, Ben Ode', ['Ada|Keller', 'Ben|Ode']],
  ['Anna Schmidt und Peter Schmidt', ['Anna|Schmidt', 'Peter|Schmidt']],
  // `Y` joins family names only after a given name.
  ['Thuy Y Nguyen', ['Thuy Y|Nguyen']],
  ['Ana Ruiz y Soler', ['Ana|Ruiz y Soler']],
  ['Keller; Ode', ['|Keller', '|Ode']],
  [' ', []],
])('%s', (cell, people) => {
  expect(shown(cell)).toEqual(people)
})

const corpus = fs
  .readFileSync(path.join(import.meta.dirname, '../../test/fixtures/names.tsv'), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [language = '', source = '', cell = '', people = ''] = line.split('\t')
    return { language, source, cell, people: people === '-' ? [] : people.split(' + ') }
  })

test('the corpus has 300 names in 20 languages or more, half of them from published lists', () => {
  expect(corpus.length).toBeGreaterThanOrEqual(300)
  expect(new Set(corpus.map(({ cell }) => cell)).size).toBe(corpus.length)
  expect(new Set(corpus.map(({ language }) => language)).size).toBeGreaterThanOrEqual(20)
  expect(corpus.filter(({ source }) => source !== '-').length).toBeGreaterThanOrEqual(corpus.length / 2)
})

test('each name of the corpus', () => {
  const wrong = corpus
    .map(({ language, cell, people }) => ({ language, cell, people, read: shown(cell) }))
    .filter(({ people, read }) => JSON.stringify(read) !== JSON.stringify(people))
  expect(wrong).toEqual([])
})

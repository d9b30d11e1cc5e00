// People: the names in one cell are separated as a careful reader would do it.
import { expect, test } from 'vitest'
import { peopleIn } from './people.ts'

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
  ['Keller; Ode', ['|Keller', '|Ode']],
  [' ', []],
])('%s', (cell, people) => {
  expect(peopleIn(cell).map(({ first_name, last_name }) => `${first_name ?? ''}|${last_name}`)).toEqual(people)
})

// Described: docs/property-systems.txt says of each property system, and of the books and audiences, what people read and fill in. A
// change of it is read there before it is kept: `npm test server/property-systems/described.test.ts -- -u` writes the page anew.
import { expect, test } from 'vitest'
import type { Parameter } from '#contract/parameters.ts'
import { integrationKinds } from '#server/integrations/kinds.ts'
import { isServed, systems } from './kinds.ts'

const indented = (lines: string[]) => lines.map((line) => `  ${line}`)
const parameterText = ({ key, label, kind, choices, required, once, help }: Parameter) => [
  `Setting ${key}, ${kind}${required ? ', required' : ''}${once ? ', once' : ''}: ${label}`,
  ...indented([...choices.map((one) => `${one.value}: ${one.label}`), ...(help === null ? [] : [help])]),
]

test('docs/property-systems.txt says what is read and filled in of each', async () => {
  const text = [
    '# Property systems, books and audiences: what is read and filled in of each, as the sources say it.',
    '# Written by `npm test server/property-systems/described.test.ts -- -u`.',
    ...systems.flatMap((system) => {
      const { parameters, fields, note, id, name, ...rest } = system.definition
      const ways = [
        system.hook && 'posts',
        system.talk && 'talks',
        system.files && 'files',
        system.polling && 'is asked',
      ]
      return [
        '',
        `## ${id} ${name}`,
        '',
        ...(note === null ? [] : [note, '']),
        `By: ${ways.filter(Boolean).join(', ') || 'nothing'}${isServed(system) ? '' : ', not served'}`,
        `Fields: ${fields.join(', ') || 'none'}`,
        ...Object.entries(rest).map(([what, value]) => `${what}: ${JSON.stringify(value)}`),
        ...parameters.flatMap(parameterText),
      ]
    }),
    ...Object.entries(integrationKinds).flatMap(([kind, companies]) =>
      companies.flatMap(({ definition: { name, integration_type, parameters } }) => [
        '',
        `## ${name}, ${kind} (${integration_type})`,
        '',
        ...parameters.map((parameter) => JSON.stringify(parameter)),
      ]),
    ),
    '',
  ].join('\n')
  await expect(text).toMatchFileSnapshot('../../docs/property-systems.txt')
})

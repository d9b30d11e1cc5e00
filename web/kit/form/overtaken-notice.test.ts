// What others have changed meanwhile is said as its field shows it.
import { expect, test } from 'vitest'
import type { FieldKind } from '#contract/fields.ts'
import { dayOf, timeOf } from '#web/kit/display/dates.ts'
import { readable } from './overtaken-notice.tsx'

const as = (kind: FieldKind) => ({ label: 'Any', kind })
const moment = '2026-12-01T22:59:00.000Z'

test.each([
  ['departs_on', '2026-12-03', as('day'), `“${dayOf('2026-12-03')}”`],
  ['expires_at', moment, as('moment'), `“${timeOf(moment)}”`],
  ['share', 12.5, as('percentage'), '“12.5%”'],
  ['name', 'Theirs', as('text'), '“Theirs”'],
  ['name', 'Theirs', undefined, '“Theirs”'],
  ['name', null, as('text'), 'empty'],
  ['active', false, as('yes-or-no'), 'off'],
  ['package_id', 7, as('record'), undefined],
])('%s: %s', (name, value, field, said) => {
  expect(readable(name, value, field)).toBe(said)
})

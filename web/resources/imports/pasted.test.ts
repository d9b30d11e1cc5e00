// Pasted: cells copied in spreadsheet programs become a file, with the number of rows and columns.
import { expect, test } from 'vitest'
import { sizeText, pastedIn } from './pasted.ts'

test.each([
  ['one column', 'Room\n12', '2 rows, 1 column'],
  ['rows end with a line break', 'Room\tGuest\r\n12\tAda\r\n13\t\r\n', '3 rows, 2 columns'],
  ['Unix line breaks', 'Room\tGuest\n12\tAda', '2 rows, 2 columns'],
  ['a row is longer than the first', 'Room\n12\tAda\tx', '2 rows, 3 columns'],
  ['an empty row between', 'Room\tGuest\r\n\r\n12\tAda', '3 rows, 2 columns'],
  ['a line break and a tab in quotes', 'Room\tGuest\n12\t"Ada ""A""\nKeller\tand Ben"\n13\tCid', '3 rows, 2 columns'],
  ['quotes that are only quotes', 'Screen\t24" wide\nOther\t"27"" wide', '2 rows, 2 columns'],
  ['an empty first cell', '\tGuest\n12\tAda', '2 rows, 2 columns'],
])('%s', (_, text, words) => {
  const pasted = pastedIn(text)
  expect(pasted && sizeText(pasted)).toBe(words)
})

test('cells with tabs get a separator line, so that commas in them do not separate; lines of a file are left as they are', async () => {
  const [cells, lines] = [
    pastedIn('Guest\tRoom\r\n"Keller, Ada"\t12\r\n'),
    pastedIn('\uFEFFname,email\nAda,a@b.example'),
  ]
  expect(await cells?.file.text()).toBe('sep=\t\r\nGuest\tRoom\r\n"Keller, Ada"\t12\r\n')
  expect(await lines?.file.text()).toBe('name,email\nAda,a@b.example\r\n')
  expect(cells?.file.name).toBe('pasted.csv')
})

test('empty text, white space, a few words and headings alone are not a table', () => {
  for (const text of ['', ' \t\r\n\t ', '\uFEFF', 'Guest Wi-Fi', 'Room\tGuest\r\n'])
    expect(pastedIn(text)).toBeUndefined()
})

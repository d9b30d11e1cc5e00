// CSV in the encodings of many languages, with the lines that programs put before it.
import { expect, test } from 'vitest'
import { encodedIn } from '#test/encode.ts'
import { sheetOfCsv } from './csv.ts'

const rowsOf = (bytes: Buffer, likeness = () => 0) => {
  const sheet = sheetOfCsv(bytes, likeness)
  return { rows: [...sheet.rows()].map(([, cells]) => cells), notes: sheet.notes() }
}

const lists: [encoding: string, text: string][] = [
  ['windows-1251', 'name;email\nИван Петров;a@example.com\nОльга Смирнова;b@example.com\n'],
  ['windows-1251', 'Комната;Гость;Телефон\n101;Иван Петров;+7 912 345-67-89\n103;свободна;\n'],
  ['koi8-r', 'Комната;Гость\n101;Иван Петров\n102;Ольга Смирнова\n'],
  ['windows-1250', 'name;email\nŁukasz Żółć;a@example.com\nŚwiętosław Gąsior;b@example.com\n'],
  ['windows-1250', 'Pokoj;Jméno;Příjmení\n101;Jiří;Dvořák\n102;Markéta;Svobodová\n'],
  ['windows-1250', 'Szoba;Vendég\n101;Erdős Géza\n102;Szűcs Gergő\n'],
  ['windows-1252', 'Zimmer;Nachname;Vorname\n101;Müller;Zoë\n102;Groß;Jürgen\n'],
  ['windows-1252', 'Chambre;Prénom;Nom\n101;Léa;Lefèvre\n102;François;Gauthier\n'],
  ['windows-1252', 'Habitación;Huésped\n101;José Núñez\n102;María Peña\n'],
  ['windows-1252', 'Room,Guest\n101,Bob Ray – late\n102,Sean O’Brien\n'],
  ['windows-1253', 'Δωμάτιο;Όνομα\n101;Γιώργος Παπαδόπουλος\n'],
  ['windows-1254', 'Oda;Misafir\n101;Ayşe Yılmaz\n102;Gülşen Doğan\n'],
  ['windows-1255', 'חדר;שם\n101;דוד כהן\n102;שרה לוי\n'],
  ['windows-1256', 'الغرفة;الاسم\n101;محمد الأحمد\n102;ليلى حداد\n'],
  ['windows-1257', 'Kambarys;Svečias\n101;Rūta Kazlauskienė\n102;Žygimantas Šimkus\n'],
  ['windows-874', 'ห้อง;ชื่อ\n101;สมชาย ใจดี\n'],
  ['macintosh', 'Zimmer;Gast\n101;Müller Zoë\n'],
  ['macintosh', 'Chambre;Prénom;Nom\n101;Léa;Lefèvre\n102;François;Gauthier\n'],
  ['shift_jis', 'name,email\n田中 太郎,a@example.com\n鈴木 花子,b@example.com\n'],
  ['gbk', 'name,email\n王小明,a@example.com\n李雷,b@example.com\n'],
  ['big5', '房號,姓名,電話\n101,王小明,0912345678\n102,李美麗,\n'],
  ['euc-kr', '객실,이름\n101,김민수\n102,이영희\n'],
]
test.each(lists)('text in %s is recognised by its content', (encoding, text) => {
  const expected = text
    .trim()
    .split('\n')
    .map((line) => line.split(/[;,]/))
  expect(rowsOf(encodedIn(encoding, text)).rows).toEqual(expected)
})

test('known headings decide where the letters are ambiguous', () => {
  const text = '部屋番号,氏名\n101,田中 太郎\n'
  const likeness = ([first]: readonly [number, string[]][]) => (first?.[1].includes('氏名') ? 1 : 0)
  const sheet = sheetOfCsv(encodedIn('euc-jp', text), likeness as never)
  expect([...sheet.rows()].map(([, cells]) => cells.join(','))).toEqual(text.trim().split('\n'))
})

test('there is a note if the encoding is in doubt', () => {
  const { notes } = rowsOf(encodedIn('windows-1254', 'Oda;Misafir\n101;Ayşe Yılmaz\n102;Gülşen Doğan\n'))
  expect(notes).toEqual([expect.stringContaining('They were read as Windows-1254 (Turkish).')])
  const cut = Buffer.concat([
    Buffer.from('Zimmer,Gast\n1,Müller Zoë Äöüß Jürgen Ößmann Köln Grün\n2,Ren'),
    Buffer.from([0xc3, 0x0a]),
  ])
  expect(rowsOf(cut).notes).toEqual([expect.stringContaining('A few could not be read')])
  expect(rowsOf(Buffer.from('Room,Guest\n1,Zoë\n')).notes).toEqual([])
  expect(rowsOf(encodedIn('windows-1252', 'Zimmer;Gast\n1;Müller, Jürgen\n2;Groß\n')).notes).toEqual([])
})

test.each([
  ['sep=;\r\nRoom;Guest\r\n1;Keller, Ada\r\n'],
  ['"sep=;"\r\nRoom;Guest\r\n1;Keller, Ada\r\n'],
  ['\ufeffsep=;;\r\nRoom;Guest\r\n1;Keller, Ada\r\n'],
  ['sep=,;\r\nRoom;Guest\r\n1;Keller Ada\r\n'],
])('the line that names the separator is not part of the list: %j', (text) => {
  const { rows } = rowsOf(Buffer.from(text))
  expect(rows[0]).toEqual(['Room', 'Guest'])
  expect(rows[1]?.[0]).toBe('1')
})

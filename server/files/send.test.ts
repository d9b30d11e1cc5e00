// Send: files keep the names that people gave them, in every script, and on every system.
import { parse } from 'content-disposition'
import Fastify from 'fastify'
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { sendFile, typedFileName } from './send.ts'

test.each([
  ['Usage May.csv', 'Usage-May.csv'],
  ['Отчёт за июнь.csv', 'Отчёт-за-июнь.csv'],
  ['月次レポート.xlsx', '月次レポート.xlsx'],
  ['Χρήση.pdf', 'Χρήση.pdf'],
  ['تقرير.csv', 'تقرير.csv'],
  ['मासिक रिपोर्ट.csv', 'मासिक-रिपोर्ट.csv'],
  ['รายงาน.csv', 'รายงาน.csv'],
  ['Zoë’s report.csv', 'Zoë’s-report.csv'],
  ['../../etc/passwd', 'etc-passwd'],
  ['a/b\\c:d*e?.csv', 'a-b-c-d-e-.csv'],
  ['-rf.csv', 'rf.csv'],
  ['.hidden.csv', 'hidden.csv'],
  ['report\u202Efdp.csv', 'reportfdp.csv'],
  ['con.csv', 'con-.csv'],
  ['line\r\nbreak.csv', 'linebreak.csv'],
  ['***.csv', 'file.csv'],
  ['', 'file'],
])('%j becomes %s', (given, kept) => {
  expect(typedFileName(given)).toBe(kept)
})

test('a long name is cut at a whole character, with its ending', () => {
  for (const letter of ['a', 'я', '日', '👩‍👩‍👧', 'क्षि']) {
    const kept = typedFileName(`${letter.repeat(300)}.csv`)
    expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(200)
    expect(kept.endsWith('.csv')).toBe(true)
    expect(kept.slice(0, -4)).toBe(letter.repeat(kept.slice(0, -4).length / letter.length))
    // Another one would be too many.
    expect(Buffer.byteLength(kept + letter)).toBeGreaterThan(200)
  }
})

test('a browser reads the whole name from the header', async () => {
  const app = Fastify()
  app.get<{ Querystring: { name: string } }>('/', ({ query: { name } }, reply) =>
    sendFile(reply, { file_name: name, content_type: 'text/csv', content: Readable.from(['a']) }),
  )
  for (const name of ['Usage May.csv', 'Отчёт за июнь.csv', '月次レポート.csv', 'say "no".csv', '100 %.csv']) {
    const { headers } = await app.inject({ url: '/', query: { name } })
    expect(parse(String(headers['content-disposition'])).parameters['filename']).toBe(typedFileName(name))
  }
})

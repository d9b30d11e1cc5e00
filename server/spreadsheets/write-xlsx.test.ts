// Writing .xlsx: what goes wrong while a file is made, and a reader who goes away, end that file and nothing else.
import { setImmediate as turn } from 'node:timers/promises'
import { buffer } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { writeXlsx } from './write-xlsx.ts'

const columns = ['Code']

test('rows that fail break the file off', { timeout: 30_000 }, async () => {
  async function* rows() {
    yield ['AB2C-DE3F-GH4J']
    await turn()
    throw new Error('the batch is gone')
  }
  await expect(buffer(writeXlsx('Vouchers', { columns, rows: rows() }))).rejects.toThrow('the batch is gone')
})

test('no more rows are asked for once nobody reads, and what they fail of is nobody’s', async () => {
  const ended = vi.fn<() => void>()
  async function* rows() {
    try {
      for (;;) {
        await turn()
        yield ['x'.repeat(10_000)]
      }
    } finally {
      ended()
    }
  }
  const file = writeXlsx('Vouchers', { columns, rows: rows() })
  file.once('data', () => file.destroy())
  await vi.waitFor(() => expect(ended).toHaveBeenCalled(), { timeout: 30_000 })
})

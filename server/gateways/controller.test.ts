// Controller: what went wrong before anything was asked of it was surely not done, and is not looked up there first.
import { expect, test } from 'vitest'
import { surely, Trouble } from './controller.ts'

test('what fails before anything is asked was surely not done, in the same words', async () => {
  const failed = new Trouble('It wants another password.', { of: 'controller', is_final: true })
  const { message, how } = await surely(() => Promise.reject(failed)).catch((error: unknown) => error as Trouble)
  expect({ message, how }).toEqual({
    message: failed.message,
    how: { of: 'controller', is_final: true, is_sure: true },
  })
  await expect(surely(() => Promise.reject(new Error('a mistake of ours')))).rejects.toThrow('a mistake of ours')
})

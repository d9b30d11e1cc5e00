// Web build: what is made for the public holds no more than what runs there.
import { expect, test } from 'vitest'
import { resolveConfig } from 'vite'

test('no source maps are made', async () => {
  const { build } = await resolveConfig({}, 'build', 'production')
  expect(build.sourcemap).toBe(false)
})

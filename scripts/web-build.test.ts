// Web build: the published files contain only what is needed at run time.
import { expect, test } from 'vitest'
import { resolveConfig } from 'vite'

test('no source maps are made', async () => {
  const { build } = await resolveConfig({}, 'build', 'production')
  expect(build.sourcemap).toBe(false)
})

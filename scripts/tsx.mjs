// What Node needs to run the sources as they are where these have JSX: it drops types by itself, and leaves JSX to this.
// In production the sources are compiled, and this is not there.

import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'rolldown/utils'

registerHooks({
  load(url, context, next) {
    if (!url.endsWith('.tsx')) return next(url, context)
    const file = fileURLToPath(url)
    const { code, errors } = transformSync(file, readFileSync(file, 'utf8'), { jsx: { runtime: 'automatic' } })
    if (errors.length > 0) throw new Error(`${file}: ${errors[0].message}`)
    return { format: 'module', source: code, shortCircuit: true }
  },
})

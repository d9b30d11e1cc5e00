// Vite: bundles the web app into dist/web, and in development serves it in front of the API, at one address.

import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import simpleVars from 'postcss-simple-vars'
import { defineConfig } from 'vite'
import { contractFacts } from './scripts/contract-facts.ts'

const breakpoints = {
  'mantine-breakpoint-xs': '36em',
  'mantine-breakpoint-sm': '48em',
  'mantine-breakpoint-md': '62em',
  'mantine-breakpoint-lg': '75em',
  'mantine-breakpoint-xl': '88em',
}

/** What the server answers itself; every other address belongs to the web app. */
const server_paths = ['/api/', '/files/', '/healthz', '/readyz']

/** What every form needs of the contract, and no list: see scripts/contract-facts.ts. */
const schemas = /node_modules\/zod\/|contract\/(endpoint|field-errors|reserved|(shapes|status)\.ts\?whole)/

export default defineConfig({
  root: 'web',
  plugins: [contractFacts(), react()],
  css: { postcss: { plugins: [mantine(), simpleVars({ variables: breakpoints })] } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A request costs a slow machine more than the few bytes that it saves.
          groups: [
            { name: 'libraries', tags: ['$initial'], test: /node_modules/, priority: 4 },
            { name: 'frame', tags: ['$initial'], priority: 3 },
            { name: 'schemas', test: schemas, priority: 2 },
            { name: 'list', test: /web\/(kit\/(list|display)\/|ui\/badge)|contract\/status\.ts$/, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(server_paths.map((path) => [path, process.env.API_URL ?? 'http://127.0.0.1:3001'])),
  },
})

// Vite: bundles the web app into dist/web, and in development serves it in front of the API, at one address.

import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import simpleVars from 'postcss-simple-vars'
import { defineConfig } from 'vite'

const breakpoints = {
  'mantine-breakpoint-xs': '36em',
  'mantine-breakpoint-sm': '48em',
  'mantine-breakpoint-md': '62em',
  'mantine-breakpoint-lg': '75em',
  'mantine-breakpoint-xl': '88em',
}

/** What the server answers itself; every other address belongs to the web app. */
const server_paths = ['/api/', '/files/', '/healthz', '/readyz']

export default defineConfig({
  root: 'web',
  plugins: [react()],
  css: { postcss: { plugins: [mantine(), simpleVars({ variables: breakpoints })] } },
  build: { outDir: '../dist/web', emptyOutDir: true, sourcemap: true },
  server: {
    proxy: Object.fromEntries(server_paths.map((path) => [path, process.env.API_URL ?? 'http://127.0.0.1:3001'])),
  },
})

// Vite: bundles the web app into dist/web, and in development serves it in front of the API, at one address.

import fs from 'node:fs'
import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import simpleVars from 'postcss-simple-vars'
import { defineConfig, type Plugin } from 'vite'
import { contractFacts } from './scripts/contract-facts.ts'
import { breakpointVariables } from './web/ui/breakpoints.ts'

/** Of the library's own style sheets. */
const breakpoints = {
  'mantine-breakpoint-xs': '36em',
  'mantine-breakpoint-sm': '48em',
  'mantine-breakpoint-md': '62em',
  'mantine-breakpoint-lg': '75em',
  'mantine-breakpoint-xl': '88em',
}

/** What the server answers itself; every other address belongs to the web app. */
const server_paths = ['/api/', '/files/', '/fonts/', '/healthz', '/readyz']

/** What every form needs of the contract, and no list: see scripts/contract-facts.ts. */
const schemas = /node_modules\/zod\/|contract\/(endpoint|field-errors|reserved|(shapes|status)\.ts\?whole)/

/** The script that the page begins with, and what it needs; nothing here may import a library. */
const preloaded = new RegExp(
  [
    /vite\/preload-helper/,
    /web\/(preload|list-screens|frame\/phone|session\/(context|kept-token)|ui\/kept-scheme|words\/kept-language)\.ts/,
    /web\/kit\/(call\/(preloaded|request)|list\/list-(address|pages)|navigation\/search-params)\.ts/,
    /contract\/[\w-]+\.ts\?facts/,
    /contract\/(constants|languages)/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** What lists are made of, and the styles of all parts: no list waits for a style of its own, which is mostly a few lines. */
const listKit =
  /web\/(kit\/(list|display)\/|ui\/badge)|contract\/((fields|status)\.ts$|references\.ts\?facts)|\.module\.css/

/**
 * The parts that the first list needs: nearly all of their functions run on the way to it. Said aloud, Chromium compiles
 * them while they come in, beside the page's own thread; else it reads each twice, the second time on that thread.
 */
const neededAtOnce = ['preload', 'libraries', 'frame', 'index', 'list-kit', 'list']
/** Only as its first words: Vite puts the list of what a part fetches later before all else, a banner of the bundler too. */
const compiledWhileItComesIn: Plugin = {
  name: 'compiled-while-it-comes-in',
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const part of Object.values(bundle))
        if (part.type === 'chunk' && neededAtOnce.includes(part.name))
          part.code = `//# allFunctionsCalledOnLoad\n${part.code}`
    },
  },
}

/**
 * What the page asks for beside its entry: web/preload.ts, which runs as soon as it is here (as a part of the app alone it would
 * wait for the libraries), and the list kit, which nearly every screen is made of.
 */
const askedForWithThePage: Plugin = {
  name: 'asked-for-with-the-page',
  transformIndexHtml: {
    order: 'post',
    handler: (_, { bundle = {} }) => {
      const parts = Object.values(bundle).filter((part) => part.type === 'chunk')
      const tag = (name: string, attrs: Record<string, string | boolean>) => ({
        tag: name,
        attrs: { ...attrs, crossorigin: true },
        injectTo: 'head' as const,
      })
      return parts.flatMap(({ name, fileName, viteMetadata }) => {
        if (name === 'preload') return [tag('script', { type: 'module', async: true, src: `/${fileName}` })]
        if (name !== 'list-kit') return []
        const styles = [...(viteMetadata?.importedCss ?? [])]
        return [
          tag('link', { rel: 'modulepreload', href: `/${fileName}` }),
          ...styles.map((style) => tag('link', { rel: 'stylesheet', href: `/${style}` })),
        ]
      })
    },
  },
}

const { version } = JSON.parse(fs.readFileSync('package.json', 'utf8')) as { version: string }

export default defineConfig({
  root: 'web',
  define: { 'import.meta.env.FOYER_VERSION': JSON.stringify(version) },
  plugins: [contractFacts(), react(), askedForWithThePage, compiledWhileItComesIn],
  css: { postcss: { plugins: [mantine(), simpleVars({ variables: { ...breakpoints, ...breakpointVariables } })] } },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    // Every browser that the app runs in asks for modules ahead by itself.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting: {
          // A request costs a slow machine more than the few bytes that it saves.
          groups: [
            { name: 'preload', tags: ['$initial'], test: preloaded, priority: 5 },
            { name: 'libraries', tags: ['$initial'], test: /node_modules/, priority: 4 },
            { name: 'frame', tags: ['$initial'], priority: 3 },
            // Before the schemas: what both need comes with the lists.
            { name: 'list-kit', test: listKit, priority: 2 },
            { name: 'schemas', test: schemas, priority: 1 },
          ],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(server_paths.map((path) => [path, process.env.API_URL ?? 'http://127.0.0.1:3001'])),
  },
})

import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { ICONS } from './src/parts/icons.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The page itself is asked for beside the small script that starts it, not after it. */
const preloadMain: Plugin = {
  name: 'preload-main',
  transformIndexHtml(_, { bundle = {} }) {
    const main = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'main')
    if (main?.type !== 'chunk') return []
    return [main.fileName, ...main.imports].map((name) => ({
      tag: 'link',
      attrs: { rel: 'modulepreload', href: `/${name}` },
      injectTo: 'head',
    }))
  },
}

/** The icons are painted with the frame of the page. */
const iconSheet: Plugin = {
  name: 'icon-sheet',
  transformIndexHtml: () => [
    {
      tag: 'svg',
      attrs: { class: 'icon-sheet', width: '0', height: '0', 'aria-hidden': 'true' },
      children: Object.entries(ICONS)
        .map(([name, path]) => `<symbol id="icon-${name}" viewBox="0 0 16 16"><path d="${path}"/></symbol>`)
        .join(''),
      injectTo: 'body-prepend',
    },
  ],
}

const JSX = '\0jsx'

/** Elements are made thousands of times: by a name of its own that is shorter than by one of a CommonJS module. */
const shortJsx: Plugin = {
  name: 'short-jsx',
  enforce: 'pre',
  resolveId: (id, importer) => (id === 'react/jsx-runtime' && importer !== JSX ? JSX : undefined),
  load: (id) =>
    id === JSX
      ? `import { jsx, Fragment } from 'react/jsx-runtime'; const make = jsx; export { make as jsx, make as jsxs, Fragment }`
      : undefined,
}

/** Shown when somebody asks for it, and loaded before that if there is time. */
const LATER =
  /\/web\/src\/(?:inspector\/(?!inspected)|operator\/(?!filters)|sessions\/(?:preferences-dialog|taken-out)|conversation\/answer-dialog|parts\/form-fields)/
/** Needed before everything else. */
const FIRST = /\/web\/src\/(?:main|boot|state\/(?:local-storage|stored-preferences))|\.css$|\.html$|^\0vite/

/** The page as a few files with hashed names, beside the rest of the package. */
export default defineConfig({
  root: here('.'),
  base: '/',
  logLevel: 'warn',
  plugins: [preloadMain, iconSheet, shortJsx],
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    // Nothing is inlined: the page allows neither inline scripts nor data addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          // Few files are smaller than many.
          groups: [
            { name: 'later', test: LATER },
            { name: 'page', test: (id) => !FIRST.test(id) },
          ],
        },
      },
    },
  },
})

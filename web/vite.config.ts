import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { ICONS } from './src/parts/icons.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The page itself is asked for beside the small script that starts it, not after it. */
const preloadPage: Plugin = {
  name: 'preload-page',
  transformIndexHtml(_, { bundle = {} }) {
    const page = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'page')
    if (page?.type !== 'chunk') return []
    const others = page.imports.filter((name) => !name.includes('/index-'))
    return [page.fileName, ...others].map((name) => ({
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

/** What is used of React. */
const NAMES: Readonly<Record<string, string>> = {
  'react/jsx-runtime': 'jsx Fragment',
  react: `useCallback useContext useEffect useEffectEvent useId useLayoutEffect useMemo useRef useState
    useSyncExternalStore createContext lazy memo Component Fragment StrictMode Suspense`,
}
const SHORT = '\0short:'

/** Elements and hooks are used thousands of times: by names of their own, shorter than those of CommonJS modules. */
const shortReact: Plugin = {
  name: 'short-react',
  apply: 'build',
  enforce: 'pre',
  resolveId: (id, importer) => (id in NAMES && importer?.startsWith(here('./src')) ? SHORT + id : undefined),
  load(id) {
    if (!id.startsWith(SHORT)) return undefined
    const module = id.slice(SHORT.length)
    const lines = (NAMES[module] ?? '')
      .split(/\s+/)
      .map((name) => `import { ${name} as _${name} } from '${module}'; export const ${name} = _${name}`)
    return [...lines, ...(module === 'react' ? [] : ['export { jsx as jsxs }'])].join('\n')
  },
}

/** A part of the page is its script alone: nothing has to be loaded before it. */
const bareImports: Plugin = {
  name: 'bare-imports',
  apply: 'build',
  enforce: 'pre',
  load: (id) => (id === '\0vite/preload-helper.js' ? 'export const __vitePreload = (load) => load()' : undefined),
}

/** Shown when somebody asks for it, and loaded before that if there is time. */
const LATER = new RegExp(
  [
    'web/src/inspector/(?!inspected)',
    'web/src/operator/(?!filters)',
    'web/src/memories/',
    'web/src/sessions/(?:keys-dialog|preferences-dialog|taken-out)',
    'web/src/conversation/answer-dialog',
    'web/src/(?:api/send-with-progress|parts/form(?:-fields)?[.]tsx)',
    'src/(?:client/automations|contract/(?:audit|automation|memory|preferences|workspace))[.]ts',
  ]
    .map((place) => `/${place}`)
    .join('|'),
)
/** Needed before everything else. */
const FIRST = /\/web\/src\/(?:boot|style|state\/(?:local-storage|stored-preferences))|\.html$|^\0vite/

/** The page as a few files with hashed names, beside the rest of the package. */
export default defineConfig({
  root: here('.'),
  base: '/',
  logLevel: 'warn',
  plugins: [preloadPage, iconSheet, shortReact, bareImports],
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    // Nothing is inlined: the page allows neither inline scripts nor data addresses.
    assetsInlineLimit: 0,
    modulePreload: false,
    // One style sheet, which loads beside the scripts rather than after the first of them.
    cssCodeSplit: false,
    reportCompressedSize: false,
    rolldownOptions: {
      optimization: { inlineConst: true },
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

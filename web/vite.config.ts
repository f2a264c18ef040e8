import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** The page itself is asked for beside the small script that starts it, not after it. */
const preloadMain: Plugin = {
  name: 'preload-main',
  transformIndexHtml(_, { bundle = {} }) {
    const main = Object.values(bundle).find((file) => file.type === 'chunk' && file.name === 'main')
    if (!main) return []
    return [{ tag: 'link', attrs: { rel: 'modulepreload', href: `/${main.fileName}` }, injectTo: 'head' }]
  },
}

/** The page as a few files with hashed names, beside the rest of the package. */
export default defineConfig({
  root: here('.'),
  base: '/',
  logLevel: 'warn',
  plugins: [preloadMain],
  build: {
    outDir: here('../dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    // Nothing is inlined: the page allows neither inline scripts nor data addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})

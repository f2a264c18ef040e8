import { defineConfig } from 'rolldown'
import manifest from './package.json' with { type: 'json' }

const packages = Object.keys(manifest.dependencies)
const isOfPackage = (id: string): boolean => packages.some((name) => id === name || id.startsWith(`${name}/`))

/**
 * The package as a few files: a hundred small ones take longer to load than a first round to finish. What runs in a
 * worker stands alone, under the name it is started by; so does the HTTP app, which is loaded when it is first used: in
 * the file of the command, loading it would run the command. Packages are left where they are, but for the part of Zod
 * that checks arguments: every first tool call waits for it.
 */
export const server = defineConfig({
  input: {
    index: 'src/index.ts',
    bin: 'src/bin.ts',
    http: 'src/channel/http/index.ts',
    'heartbeat-worker': 'src/channel/cli/heartbeat-worker.ts',
    'page-worker': 'src/tool/web/page-worker.ts',
    'match-worker': 'src/tool/local/match-worker.ts',
    'schema-worker': 'src/tool/schema-worker.ts',
    'check-worker': 'src/store/sqlite/check-worker.ts',
    'knowledge-worker': 'src/store/sqlite/knowledge-worker.ts',
    'embed-worker': 'src/model/embedding/embed-worker.ts',
    'parse-child': 'src/knowledge/parse/parse-child.ts',
  },
  platform: 'node',
  external: (id, from) => id.startsWith('node:') || (isOfPackage(id) && !from?.endsWith('/src/tool/zod.ts')),
  output: {
    dir: 'dist',
    format: 'esm',
    chunkFileNames: '[name].js',
    // Each file takes about a millisecond to find and read, however small it is. What brings a package stands apart.
    codeSplitting: {
      groups: [{ name: 'common', test: /\/src\/(?:lib|contract)\/(?!canonical-json)/, minShareCount: 2 }],
    },
  },
})

/** For browsers too: one file that needs no other. */
const client = defineConfig({
  input: { client: 'src/client/index.ts' },
  platform: 'neutral',
  output: { dir: 'dist', format: 'esm' },
})

export default [server, client]

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { COMPILED } from './tests/support/compiled.ts'
import { TallyReporter } from './tests/support/tally-reporter.ts'

export default defineConfig({
  resolve: {
    // A test that imports the package by its name gets the sources, without a build.
    alias: [
      { find: /^segno$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) },
      { find: /^segno\/client$/, replacement: fileURLToPath(new URL('src/client/index.ts', import.meta.url)) },
    ],
  },
  test: {
    environment: 'node',
    pool: 'forks',
    // Processes that tests fork inherit this, so the package name means the sources there too. Not just `source`: other
    // packages have that condition as well, and their sources are not for Node.
    execArgv: ['--conditions=segno-source'],
    // For the processes that tests start.
    env: COMPILED,
    // Of two cores, because much of a test is waiting.
    maxWorkers: 3,
    // What hangs fails all the same; what is slow because the machine has other things to do does not.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 45_000 } },
    reporters: ['default', new TallyReporter()],
    projects: [
      {
        extends: true,
        test: {
          name: 'node',
          include: ['src/**/*.test.ts', 'web/src/**/*.test.{ts,tsx}', 'tests/**/*.test.ts'],
          exclude: ['tests/web/**', 'tests/postgres/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ['tests/postgres/**/*.test.ts'],
          // Those take longer: `npm run test:postgres` has them.
          exclude: ['tests/postgres/long/**'],
          globalSetup: ['./tests/support/postgres/global-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['tests/web/**/*.test.ts'],
          globalSetup: ['./tests/web/support/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})

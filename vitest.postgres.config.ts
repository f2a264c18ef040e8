import { defineConfig } from 'vitest/config'
import usual from './vitest.config.ts'

const { projects: _, ...usualTest } = usual.test ?? {}

/** The scenarios, crashes and properties once more, with the data of every home in a PostgreSQL database of its own. */
export default defineConfig({
  ...usual,
  test: {
    ...usualTest,
    name: 'on postgres',
    include: [
      'tests/{scenarios,crash,properties,server,money,security}/**/*.test.ts',
      'tests/postgres/long/**/*.test.ts',
      'tests/postgres/{postgres-store,list-plans,same-lists}.test.ts',
    ],
    globalSetup: ['./tests/support/postgres/scenario-global-setup.ts'],
    setupFiles: ['./tests/support/postgres/scenario-setup.ts'],
    env: {
      ...usualTest.env,
      SEGNO_TEST_STORE: 'postgres',
      SEGNO_TEST_LONG: '1',
      SEGNO_PROPERTY_RUNS: process.env['SEGNO_PROPERTY_RUNS'] ?? '200',
    },
  },
})

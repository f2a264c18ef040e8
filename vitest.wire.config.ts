import { defineConfig } from 'vitest/config'
import { FORMAT_NAMES } from './tests/support/strict-provider/names.ts'
import { TallyReporter } from './tests/support/tally-reporter.ts'

/** They bring providers of their own. */
const OWN_PROVIDERS = [
  'tests/scenarios/embedding/**',
  'tests/scenarios/provider/**',
  'tests/scenarios/model/{choosing,doctor,lazy,ollama,script-file}.test.ts',
]

/** The scenarios once more, for each wire format, through the real provider packages and the strict provider. */
export default defineConfig({
  test: {
    projects: FORMAT_NAMES.map((name) => ({
      extends: './vitest.config.ts',
      test: {
        name,
        include: ['tests/scenarios/**/*.test.ts', 'tests/server/**/*.test.ts'],
        exclude: OWN_PROVIDERS,
        env: { SEGNO_TEST_WIRE: name },
        setupFiles: ['./tests/wire/leave-out.ts'],
      },
    })),
    maxWorkers: 2,
    reporters: ['default', new TallyReporter()],
  },
})

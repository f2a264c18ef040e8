import { defineConfig } from 'vitest/config'
import { FORMAT_NAMES } from './tests/support/strict-provider/names.ts'
import usual from './vitest.config.ts'

/** They bring providers of their own, or are about what one model can do. */
const OWN_PROVIDERS = [
  'tests/scenarios/embedding/**',
  'tests/scenarios/provider/**',
  'tests/scenarios/providers/**',
  'tests/scenarios/params/**',
  'tests/scenarios/model/{capabilities,choosing,doctor,lazy,listed,longest-answer,named-providers,ollama,script-file}.test.ts',
]

const { projects: _, ...usualTest } = usual.test ?? {}

/** The scenarios once more, for each wire format, through the real provider packages and the strict provider. */
export default defineConfig({
  test: {
    reporters: usualTest.reporters ?? [],
    maxWorkers: 2,
    projects: FORMAT_NAMES.map((name) => ({
      ...usual,
      test: {
        ...usualTest,
        name,
        include: ['tests/scenarios/**/*.test.ts', 'tests/server/**/*.test.ts'],
        exclude: OWN_PROVIDERS,
        env: { SEGNO_TEST_WIRE: name },
        setupFiles: ['./tests/wire/leave-out.ts'],
      },
    })),
  },
})

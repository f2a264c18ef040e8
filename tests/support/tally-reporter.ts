import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import { readCitations, requirementTally } from './requirement-scan.ts'

/** Prints, after everything else, how many requirements are shown and then `N passed, M failed`. */
export class TallyReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    let passed = 0
    let failed = unhandledErrors.length
    for (const module of modules) {
      const results = [...module.children.allTests()].map((test) => test.result().state)
      const failures = results.filter((state) => state === 'failed').length
      passed += results.filter((state) => state === 'passed').length
      // A file that cannot be loaded, or whose hooks fail, has no failing test of its own and still is a failure.
      failed += failures === 0 && !module.ok() ? 1 : failures
    }
    process.stdout.write(`${requirementTally(readCitations())}\n${passed} passed, ${failed} failed\n`)
  }
}

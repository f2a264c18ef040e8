import { planned, requirements, type RequirementId } from '../requirements.ts'
import { readSources } from './read-sources.ts'
import { withoutComments } from './without-comments.ts'

const known = Object.keys(requirements) as RequirementId[]
const call = /\bverifies\(\s*(\[[^\]]*\]|'[^']*'|"[^"]*"|`[^`]*`)/g
const quoted = /['"`]([^'"`]+)['"`]/g

/** The ids that `verifies(…)` calls in a source cite. */
export function citationsIn(source: string): string[] {
  const calls = withoutComments(source).matchAll(call)
  return [...calls].flatMap(([, ids = '']) => [...ids.matchAll(quoted)].map(([, id = '']) => id))
}

/** Every id cited by a test or a shared suite, with the files that cite it. */
export function citations(sources: Readonly<Record<string, string>>): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const [path, source] of Object.entries(sources)) {
    for (const id of new Set(citationsIn(source))) found.set(id, [...(found.get(id) ?? []), path])
  }
  return found
}

/** The citations of this repository. The scan's own test is left out: its examples are not evidence. */
export function readCitations(): Map<string, string[]> {
  const sources = readSources(['{src,tests}/**/*.{test,suite}.ts'])
  delete sources['tests/requirements.test.ts']
  return citations(sources)
}

/** What is wrong with the list of planned ids, in sentences; empty when it is right. */
export function requirementProblems(
  cited: ReadonlyMap<string, readonly string[]>,
  plannedIds: readonly string[] = planned,
): string[] {
  const unknown = [...cited].filter(([id]) => !(id in requirements))
  return [
    ...unknown.map(([id, files]) => `${id} is not a requirement, but is cited in ${files.join(', ')}`),
    ...known.flatMap((id) => {
      const files = cited.get(id)
      if (files && plannedIds.includes(id)) {
        return [`${id} is shown in ${files.join(', ')}: take it off the planned list in tests/requirements.ts`]
      }
      if (!files && !plannedIds.includes(id)) return [`${id} has no test: ${requirements[id]}`]
      return []
    }),
    ...plannedIds.filter((id, at) => plannedIds.indexOf(id) !== at).map((id) => `${id} is planned twice`),
  ]
}

export function requirementTally(cited: ReadonlyMap<string, readonly string[]>): string {
  const shown = known.filter((id) => cited.has(id)).length
  return `requirements: ${shown} shown by tests, ${planned.length} planned`
}

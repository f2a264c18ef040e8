import type { JsonObject } from '../contract/message.ts'
import { invalidField } from '../contract/problem.ts'
import type { CheckValue } from './bad-output.ts'
import type { Workflow } from './workflows.ts'

/** Throws a Problem if a workflow does not take this input. */
export async function checkFits({ tenant, name, body }: Workflow, input: JsonObject, check: CheckValue): Promise<void> {
  const checked = await check(body.input, input, tenant)
  if (!checked.ok)
    throw invalidField('input', `does not fit the schema of ${name}: ${checked.message.replace(/\.$/, '')}`)
}

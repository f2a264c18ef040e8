import { timingSafeEqual } from 'node:crypto'
import type { Automation } from '../contract/automation.ts'
import type { Invocation } from '../contract/invocation.ts'
import { refuseUnknownFields } from '../contract/known-fields.ts'
import { need } from '../contract/need.ts'
import { invalidField, Problem } from '../contract/problem.ts'
import { redactedJson } from '../contract/redacted-json.ts'
import { canonicalJson } from '../lib/canonical-json.ts'
import type { Clock } from '../lib/clock.ts'
import { sha256 } from '../lib/hash.ts'
import { keyOf } from '../lib/key-of.ts'
import { createRedactor } from '../lib/redactor.ts'
import type { AutomationStore, InvocationStore } from '../store/index.ts'
import { ended, withoutFault } from './after-hand-over.ts'
import { MANAGE, type Automations } from './automations.ts'
import { badOutput, outputFault, type CheckValue } from './bad-output.ts'
import type { InvocationRecords } from './invocation-records.ts'
import type { Invocations, Report, Reporter } from './invocations.ts'
import { jsonFault } from './read-fields.ts'
import { isOpenToResults, type Settling } from './settle-invocation.ts'
import { signingSecrets } from './signing-secrets.ts'
import { notSigned, verifySigned, type SignedRequest } from './standard-webhooks.ts'

interface ReportOptions {
  readonly clock: Clock
  readonly automations: Pick<Automations, 'secretsOf'>
  readonly settle: Settling['settle']
  readonly checkValue: CheckValue
  readonly record: InvocationRecords['record']
  readonly answerBytes: number
  readonly signedMs: number
}

const ERROR_CHARS = 10_000
const FIELDS = ['status', 'output', 'error']

/** Results that come from outside. */
export function reporting(
  store: Pick<InvocationStore, 'invocation' | 'anyInvocation' | 'claimMessage'> & Pick<AutomationStore, 'automation'>,
  { clock, automations, settle, checkValue, record, answerBytes, signedMs }: ReportOptions,
): Invocations['report'] {
  const workflowOf = async ({ tenant, automationId }: Invocation): Promise<Automation<'workflow'> | undefined> => {
    const found = await store.automation(tenant, automationId)
    return found?.kind === 'workflow' ? found : undefined
  }

  /** A message is for one run: what was signed says nothing of which. */
  async function isSigned(invocation: Invocation, signed: SignedRequest): Promise<boolean> {
    const workflow = await workflowOf(invocation)
    const secrets = workflow ? signingSecrets(await automations.secretsOf(workflow)) : []
    const now = clock.now()
    const verdict = verifySigned(signed, secrets, { now, toleranceMs: signedMs })
    if (!verdict.isValid) return false
    const claim = { key: keyOf('signed', invocation.automationId, verdict.id), hash: invocation.id, result: null }
    return (await store.claimMessage(claim, now)).hash === invocation.id
  }

  function hasToken({ tokens = [], until }: Invocation, token: string): boolean {
    const given = Buffer.from(sha256(token))
    const fitting = tokens.filter((one) => one.length === given.length && timingSafeEqual(Buffer.from(one), given))
    return fitting.length > 0 && clock.now() < until
  }

  async function believed(by: Reporter, id: string): Promise<Invocation> {
    if ('actor' in by) {
      need(by.actor, MANAGE)
      const found = await store.invocation(by.actor.tenant, id)
      if (found && found.origin !== 'webhook') return found
      throw new Problem('NOT_FOUND', `There is no run ${id.slice(0, 100)}.`)
    }
    const found = await store.anyInvocation(id)
    const isTheirs = found && ('signed' in by ? await isSigned(found, by.signed) : hasToken(found, by.token))
    if (!found || !isTheirs || found.origin === 'webhook') throw notSigned()
    return found
  }

  /** An engine may say again what it was sent, and its answer to the hand-over is kept without that, too. */
  async function withoutSecrets(report: Report, by: Reporter, { tenant, automationId: id }: Invocation) {
    const secrets = await automations.secretsOf({ tenant, kind: 'workflow', id })
    const redact = createRedactor([...Object.values(secrets), 'token' in by ? by.token : undefined])
    const { output, error } = report
    return {
      ...report,
      ...(output !== undefined && { output: redactedJson(output, redact) }),
      ...(error !== undefined && { error: redact(error) }),
    }
  }

  return async (by, id, given) => {
    const invocation = await believed(by, id)
    const said = readReport(given, answerBytes)
    if (said.status === 'running') return (await settle(invocation, (now) => asRunning(now, clock.now()))) ?? invocation
    const hash = reportHash(said)
    const report = await withoutSecrets(said, by, invocation)
    const isByPerson = 'actor' in by
    const workflow = await workflowOf(invocation)
    // People may know only that it happened.
    const isChecked = report.status === 'success' && !(isByPerson && report.output === undefined)
    const fault = isChecked && workflow ? await outputFault(workflow, report.output ?? null, checkValue) : undefined
    // And they can say it again in another way, while a failure would stay.
    if (isByPerson && fault !== undefined)
      throw invalidField('output', `does not fit the schema of the workflow's output: ${fault.replace(/\.$/, '')}`)
    const audit = isByPerson ? [record('invocation_reported', invocation, { by: by.actor.id })] : []
    let isRefused = false
    const after = await settle(
      invocation,
      (now) => {
        isRefused = !isOpenToResults(now) && !isSameResult(now, report, hash)
        if (isRefused || !isOpenToResults(now)) return undefined
        return reported(now, report, hash, fault, clock.now())
      },
      audit,
    )
    if (isRefused) throw new Problem('CONFLICT', 'Another result of this run is stored already; it stays as it is.')
    return after ?? invocation
  }
}

/** An engine that says it runs has it, whatever became of the answer to its hand-over. */
function asRunning(now: Invocation, at: number): Invocation | undefined {
  if (now.status !== 'pending' || now.attempts === 0) return undefined
  return { ...withoutFault(now), status: 'running', dueAt: at }
}

function reported(now: Invocation, report: Report, hash: string, fault: string | undefined, at: number): Invocation {
  const rest = withoutFault(now)
  if (report.status === 'success' && fault !== undefined) {
    const { code, error, raw } = badOutput(fault, report.output ?? null)
    return ended(rest, { status: 'failure', code, error, ...(raw !== undefined && { raw }), reported: hash }, at)
  }
  if (report.status === 'success')
    return ended(rest, { status: 'success', output: report.output ?? null, reported: hash }, at)
  const { error = 'The workflow failed without saying why.' } = report
  return ended(rest, { status: 'failure', code: 'FAILED', error, reported: hash }, at)
}

const reportHash = ({ status, output, error }: Report): string =>
  sha256(canonicalJson({ status, output: output ?? null, error: error ?? null }))

/** Also where it was the engine's own answer that said so. */
const isSameResult = ({ status, reported, output }: Invocation, report: Report, hash: string): boolean =>
  reported === undefined
    ? status === 'success' &&
      report.status === 'success' &&
      sha256(canonicalJson(output ?? null)) === sha256(canonicalJson(report.output ?? null))
    : reported === hash

function readReport(given: Report, answerBytes: number): Report {
  refuseUnknownFields(given, FIELDS, 'A result')
  const { status, output, error } = given
  if (status !== 'running' && status !== 'success' && status !== 'failure')
    throw invalidField('status', 'must be running, success or failure')
  if (output !== undefined && status !== 'success') throw invalidField('output', 'goes with the status "success"')
  if (error !== undefined && status !== 'failure') throw invalidField('error', 'goes with the status "failure"')
  if (error !== undefined && (typeof error !== 'string' || error.trim() === '' || error.length > ERROR_CHARS))
    throw invalidField('error', `must be a text of 1 to ${ERROR_CHARS} characters`)
  const fault = jsonFault(output)
  if (fault !== undefined) throw invalidField('output', fault)
  if (output !== undefined && Buffer.byteLength(JSON.stringify(output)) > answerBytes)
    throw new Problem('TOO_LARGE', `output may have ${answerBytes} bytes as JSON (limit WORKFLOW_ANSWER_BYTES).`, {
      field: 'output',
    })
  return given
}

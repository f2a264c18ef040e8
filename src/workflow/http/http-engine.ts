import type { Egress } from '../../egress/index.ts'
import type { Clock } from '../../lib/clock.ts'
import type { Engine, KeptTarget } from '../engine.ts'
import { isAnswer, postWork } from '../post-work.ts'
import { readAddress, readFields } from '../read-fields.ts'
import { signingSecrets } from '../signing-secrets.ts'
import { signedHeaders } from '../standard-webhooks.ts'
import { readWorkAnswer } from '../work-answer.ts'
import { sentKey, workHeaders } from '../work-request.ts'

interface HttpEngineOptions {
  readonly egress: Egress
  readonly clock: Clock
  readonly answerBytes: number
}

/** Whatever takes a signed POST; only its addresses know what they did with a key. */
export function createHttpEngine(options: HttpEngineOptions): Engine {
  return {
    name: 'http',
    signs: true,
    knowsKeys: false,
    readTarget,
    async start(work) {
      const { target, secrets, key, input } = work
      if (target.engine !== 'http') throw new Error(`a target of ${target.engine} for HTTP`)
      const body = JSON.stringify(input)
      const now = options.clock.now()
      const signing = signingSecrets(secrets)
      if (signing.length === 0) throw new Error('a workflow without a signing secret')
      const signed = signedHeaders(signing, { id: sentKey(key), body, now })
      const answer = await postWork(
        { url: target.url, headers: { ...workHeaders(work), ...signed }, body },
        work,
        options,
      )
      return isAnswer(answer) ? readWorkAnswer(answer, work, options.clock.now()) : answer
    },
  }
}

/** The signing secret never leaves, so it stays whatever the address. */
function readTarget(given: unknown, before?: KeptTarget): KeptTarget {
  const { url } = readFields('target', given, ['url'])
  const kept = before?.target.engine === 'http' ? before.secrets : {}
  return { target: { engine: 'http', url: readAddress('target.url', url) }, secrets: kept }
}

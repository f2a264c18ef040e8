import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { Client } from 'pg'
import type { Deps } from '../../src/round/index.ts'
import type { Store } from '../../src/store/index.ts'
import { STORE } from '../support/store-under-test.ts'
import { commitNames, type Hit } from './points.ts'

/** The store as it is, with a point before and after everything that makes something durable. */
export function watchStore(store: Store, hit: Hit): Store {
  return {
    ...store,
    async commit(change) {
      const names = commitNames(change)
      for (const name of names) hit(`before ${name}`)
      const result = await store.commit(change)
      for (const name of names) hit(`after ${name}`)
      return result
    },
    async putInput(input, ...more) {
      const result = await store.putInput(input, ...more)
      if (input.body.kind === 'decision') hit('decision stored')
      if (input.body.kind === 'result') hit('result stored')
      if (input.body.kind === 'cancel') hit('cancel stored')
      if (input.body.kind === 'message') hit('second message stored')
      return result
    },
  }
}

export function watchDeps(deps: Deps, hit: Hit): Deps {
  return {
    ...deps,
    model(key) {
      hit('before model call')
      return deps.model(key)
    },
    pulse(pulse) {
      deps.pulse(pulse)
      if (pulse.type === 'delta' && pulse.kind === 'text') hit('text delta')
      if (pulse.type === 'delta' && pulse.kind === 'output' && pulse.name === 'bash') hit('in bash')
    },
  }
}

/** Models that say nothing before something has happened. */
export function holdModels(deps: Deps, until: Promise<void>): Deps {
  return {
    ...deps,
    model(key) {
      const model = deps.model(key)
      const { language } = model
      const doStream: typeof language.doStream = async (options) => {
        await until
        return language.doStream(options)
      }
      return { ...model, language: { ...language, doStream } }
    },
  }
}

/** A point in the middle of a transaction: this process has done all it does for it, and does not know whether it is made. */
export const watchTransactions = (hit: Hit): void => (STORE === 'postgres' ? watchServer(hit) : watchFile(hit))

/** Between the last write of a transaction and its COMMIT. */
function watchFile(hit: Hit): void {
  const { prepare } = DatabaseSync.prototype
  DatabaseSync.prototype.prepare = function (this: DatabaseSync, sql: string): StatementSync {
    const statement = prepare.call(this, sql)
    if (sql !== 'COMMIT') return statement
    const run = statement.run.bind(statement)
    return Object.defineProperty(statement, 'run', {
      value() {
        hit('inside transaction')
        return run()
      },
    })
  }
}

/** The commit is on its way to the server, which makes it whether or not somebody is there to hear so. */
function watchServer(hit: Hit): void {
  const query = Client.prototype.query as (this: Client, ...given: unknown[]) => unknown
  Client.prototype.query = function (this: Client, ...given: unknown[]): unknown {
    const answer = query.apply(this, given)
    if (String(given[0]).includes('commit_changes')) hit('inside transaction')
    return answer
  } as typeof Client.prototype.query
}

import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { Hands } from '../../src/round/index.ts'
import type { Store } from '../../src/store/index.ts'
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

export function watchHands(hands: Hands, hit: Hit): Hands {
  return {
    ...hands,
    model(key) {
      hit('before model call')
      return hands.model(key)
    },
    pulse(pulse) {
      hands.pulse(pulse)
      if (pulse.type === 'delta' && pulse.kind === 'text') hit('text delta')
      if (pulse.type === 'delta' && pulse.kind === 'output' && pulse.name === 'bash') hit('in bash')
    },
  }
}

/** A point between the last write of a transaction and its COMMIT. */
export function watchTransactions(hit: Hit): void {
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

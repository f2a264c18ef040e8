import dns from 'node:dns'
import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'
import net from 'node:net'

/**
 * Loaded before everything else. Says on standard error whenever somebody reaches for the network, or loads a package
 * that is made for it.
 */
const tell = (what: string): number => writeSync(2, `STRAY ${what}\n`)

const connect = net.Socket.prototype.connect
net.Socket.prototype.connect = function (this: net.Socket, ...args: never[]) {
  tell('connection')
  return Reflect.apply(connect, this, args) as net.Socket
}
const lookup = dns.lookup
dns.lookup = Object.assign((...args: never[]) => {
  tell('lookup')
  return Reflect.apply(lookup, dns, args) as undefined
}, lookup)

registerHooks({
  resolve(name, context, next) {
    if (/^(?:node-fetch|undici)$/.test(name)) tell(name)
    return next(name, context)
  },
})

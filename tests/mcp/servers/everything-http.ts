/** The reference server "everything" over HTTP, on the loopback only; tells its port to the process that forked it. */
import { Server } from 'node:net'

const { listen } = Server.prototype as unknown as { listen: (...args: unknown[]) => Server }
Object.assign(Server.prototype, {
  listen(this: Server, _port: unknown, ready: () => void) {
    return listen.call(this, 0, '127.0.0.1', () => {
      process.send?.((this.address() as { port: number }).port)
      ready()
    })
  },
})
process.argv[2] = 'streamableHttp'
process.on('disconnect', () => process.exit())
const everything = '@modelcontextprotocol/server-everything/dist/index.js'
await import(everything)

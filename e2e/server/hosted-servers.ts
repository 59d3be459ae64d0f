import { join } from 'node:path'
import { freePort, isFree } from '../../scripts/free-port.ts'
import { type NodeProcess, startNodeProcess } from './node-process.ts'

const HOST = join(import.meta.dirname, 'server-host.ts')

/**
 * Starts servers in one process, one after the other. Loading the program takes three quarters of the CPU time of a start, so
 * the journeys of a worker share the process.
 */
export class HostedServers {
  #host: Promise<NodeProcess> | undefined
  #started = 0
  #port: number | undefined

  /** The port of the next server: that of the last one if it is still free, so that a browser takes both for one origin. */
  async port(): Promise<number> {
    if (this.#port === undefined || !(await isFree(this.#port, 'localhost'))) this.#port = await freePort()
    return this.#port
  }

  /** Starts a server; `SIGKILL` kills the process with it, and the next one gets another process. */
  async start(settings: Record<string, string>): Promise<Pick<NodeProcess, 'output' | 'stop'>> {
    this.#host ??= this.#open()
    const host = await this.#host
    this.#started += 1
    const number = this.#started
    const begin = host.output().length
    host.write(JSON.stringify(settings))
    await host.waitForOutput(new RegExp(`^Started ${number}$`, 'm'))
    return {
      output: () => host.output().slice(begin),
      stop: async (signal) => {
        if (signal === 'SIGKILL') {
          this.#host = undefined
          return await host.stop(signal)
        }
        host.write('close')
        await host.waitForOutput(new RegExp(`^Closed ${number}$`, 'm'))
      },
    }
  }

  async close(): Promise<void> {
    await (await this.#host)?.stop('SIGKILL')
  }

  #open(): Promise<NodeProcess> {
    this.#started = 0
    return startNodeProcess([HOST], {}, () => true)
  }
}

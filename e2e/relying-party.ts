import { join } from 'node:path'
import { freePort } from '../scripts/free-port.ts'
import { ROOT } from '../scripts/run-command.ts'
import { type NodeProcess, startNodeProcess } from './server/node-process.ts'

/** A third-party website: the example program, configured with nothing but the issuer's address. */
export type RelyingParty = {
  url: string
  redirect_uri: string
  /** Starts the website; `scope` replaces the scopes that it requests. */
  start(credentials: { client_id: string; client_secret: string | null }, scope?: string): Promise<void>
  close(): Promise<void>
}

/** The website is at `port`, or at a free one. */
export async function createRelyingParty(issuer: string, port?: number): Promise<RelyingParty> {
  port ??= await freePort()
  const url = `http://localhost:${port}`
  let site: NodeProcess | undefined
  return {
    url,
    redirect_uri: `${url}/callback`,
    async start({ client_id, client_secret }, scope) {
      site = await startNodeProcess(
        [join(ROOT, 'examples/web-app/main.ts')],
        {
          CLIENT_ID: client_id,
          CLIENT_SECRET: client_secret ?? '',
          ISSUER: issuer,
          PORT: String(port),
          ...(scope && { SCOPE: scope }),
        },
        async () => (await fetch(url).catch(() => null))?.ok ?? false,
      )
    },
    close: async () => await site?.stop('SIGTERM'),
  }
}

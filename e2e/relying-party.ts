import { join } from 'node:path'
import { ROOT } from '../scripts/command.ts'
import { freePort, type Running, runNode } from './child.ts'

/** Somebody else's website: the example itself, a program that knows of Vrata no more than its address. */
export type RelyingParty = {
  url: string
  redirect_uri: string
  /** What it asks for is its own business; `scope` says otherwise. */
  start(credentials: { client_id: string; client_secret: string | null }, scope?: string): Promise<void>
  close(): Promise<void>
}

/** At `port`, or wherever there is room. */
export async function relyingParty(issuer: string, port?: number): Promise<RelyingParty> {
  port ??= await freePort()
  const url = `http://localhost:${port}`
  let site: Running | undefined
  return {
    url,
    redirect_uri: `${url}/callback`,
    async start({ client_id, client_secret }, scope) {
      site = await runNode(
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
    close: async () => await site?.end('SIGTERM'),
  }
}

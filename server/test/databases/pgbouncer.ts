import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { accessSync, chownSync, constants, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../../../scripts/free-port.ts'

/** Where the program is, or undefined where it is not installed. Debian has it where ordinary users do not look. */
export function findPgBouncer(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return folders.map((folder) => join(folder, 'pgbouncer')).find(isProgram)
}

/** Starts PgBouncer in transaction mode in front of a PostgreSQL server, with few connections to it. */
export async function startPgBouncer(
  program: string,
  server: string,
): Promise<{ through(url: string): string; close(): Promise<void> }> {
  const { hostname, port: behind, username, password } = new URL(server)
  const folder = mkdtempSync(join(tmpdir(), 'vrata-pgbouncer-'))
  const port = await freePort()
  const users = join(folder, 'users.txt')
  const settings = join(folder, 'pgbouncer.ini')
  writeFileSync(users, `"${decodeURIComponent(username)}" "${decodeURIComponent(password)}"\n`)
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${behind || 5432}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
default_pool_size = 3
`,
  )
  // It does not run as root.
  const account = userInfo().uid === 0 ? { uid: 65_534, gid: 65_534 } : {}
  if (account.uid !== undefined) for (const file of [folder, users, settings]) chownSync(file, account.uid, account.gid)
  const child = spawn(program, ['-q', settings], { ...account, stdio: ['ignore', 'ignore', 'pipe'] })
  const exited = once(child, 'exit')
  let log = ''
  child.stderr.on('data', (chunk) => {
    log += chunk
  })
  for (let tries = 0; !(await accepts(port)); tries += 1) {
    if (tries > 200 || child.exitCode !== null) throw new Error(`PgBouncer did not start: ${log}`)
    await pause(50)
  }
  return {
    through(url) {
      const pooled = new URL(url)
      pooled.host = `127.0.0.1:${port}`
      return pooled.href
    },
    async close() {
      child.kill('SIGINT')
      await exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  const connected = once(socket, 'connect').then(
    () => true,
    () => false,
  )
  return await connected.finally(() => socket.destroy())
}

import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type Program, run } from '../processes/programs.ts'

const GUIDE = join(import.meta.dirname, '../../../docs/guides/operate.md')

export const PROXIES = ['nginx', 'haproxy', 'caddy'] as const
export type ProxyName = (typeof PROXIES)[number]

/** Where the proxy listens and what it leads to. */
export interface ProxyPorts {
  vrata: number
  pages: number
  /** Where it asks for certificates; the same as `pages` where a host name tells them apart. */
  mtls: number
}

/** Settings of each proxy, around the configuration of the guide, to run as an ordinary program in a folder. */
const RUNNING: Record<
  ProxyName,
  { language: string; file: string; whole(part: string): string; args(file: string): string[] }
> = {
  nginx: {
    language: 'nginx',
    file: 'nginx.conf',
    whole: (part) => `daemon off; master_process off; pid nginx.pid; error_log stderr; events {}
http { access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
${part}}`,
    args: (file) => ['-p', '.', '-e', 'stderr', '-c', file],
  },
  haproxy: { language: 'haproxy', file: 'haproxy.cfg', whole: (part) => part, args: (file) => ['-db', '-f', file] },
  caddy: {
    language: 'caddyfile',
    file: 'Caddyfile',
    whole: (part) => `{
  admin off
  auto_https off
  storage file_system storage
}
${part}`,
    args: (file) => ['run', '--config', file, '--adapter', 'caddyfile'],
  },
}

/** Why a proxy cannot be tried here; undefined when it can. */
export function missing(proxy: ProxyName): string | undefined {
  for (const program of [proxy, 'openssl']) {
    try {
      execFileSync('which', [program], { stdio: 'ignore', env: { ...process.env, PATH: path() } })
    } catch {
      return `${program} is not installed`
    }
  }
  return undefined
}

/** Debian has these programs where ordinary users do not look. */
const path = () => `${process.env.PATH}:/usr/sbin:/usr/local/sbin`

/** Starts a proxy with its configuration in the guide; `change` makes another one of it. */
export async function startProxy(
  proxy: ProxyName,
  folder: string,
  ports: ProxyPorts,
  change: (configuration: string) => string = (same) => same,
): Promise<Program> {
  const { language, file, whole, args } = RUNNING[proxy]
  const [, part] = new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, 's').exec(await readFile(GUIDE, 'utf8')) ?? []
  if (!part) throw new Error(`${GUIDE} has no configuration for ${proxy}`)
  const moved = change(part)
    .replaceAll('/etc/ssl/', `${folder}/`)
    .replaceAll('127.0.0.1:3000', `127.0.0.1:${ports.vrata}`)
    .replaceAll('listen 443', `listen 127.0.0.1:${ports.pages}`)
    .replaceAll('bind :443', `bind 127.0.0.1:${ports.pages}`)
    .replaceAll('bind :8443', `bind 127.0.0.1:${ports.mtls}`)
    .replace(/^((?:mtls\.)?id\.example\.com) \{/gm, `https://$1:${ports.pages} {`)
  await writeFile(join(folder, file), whole(moved))
  const program = run(folder, proxy, args(file), { PATH: path(), HOME: folder, XDG_DATA_HOME: folder })
  for (const port of new Set([ports.pages, ports.mtls])) await listening(port, program)
  return program
}

async function listening(port: number, program: Program): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const socket = connect(port, '127.0.0.1')
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (connected) return
    await wait(50)
  }
  throw new Error(`nothing listens on port ${port}: ${program.output()}`)
}

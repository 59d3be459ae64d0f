import { spawn } from 'node:child_process'

const OPENERS: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  // Without a shell, to which & in an address would say something.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens an address in the person's own browser, where they are signed in already; where there is none, nothing happens. */
export function openBrowser({ href }: URL): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const opener = spawn(program, [...args, href], { stdio: 'ignore', detached: true })
  opener.on('error', () => {})
  opener.unref()
}

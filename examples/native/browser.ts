import { spawn } from 'node:child_process'

const OPENERS: Partial<Record<NodeJS.Platform, [program: string, ...args: string[]]>> = {
  darwin: ['open'],
  // Not `cmd /c start`: a shell would interpret the & in a URL.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** Opens a URL in the user's default browser. Does nothing if there is none. */
export function openBrowser({ href }: URL): void {
  const [program, ...args] = OPENERS[process.platform] ?? ['xdg-open']
  const opener = spawn(program, [...args, href], { stdio: 'ignore', detached: true })
  opener.on('error', () => {})
  opener.unref()
}

import { write } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { promisify } from 'node:util'
import type { AuditSinkSettings } from '../config/audit-settings.ts'
import { within } from '../lib/waiting/within.ts'

/** Takes lines of JSON. Resolves when they are there to stay, and throws when they may not be. */
export interface AuditSink {
  send(lines: string, signal: AbortSignal): Promise<void>
}

/** Milliseconds for one request. */
const PATIENCE = 10_000

/** Milliseconds for a file: shorter than a server may take to close. */
const FILE_PATIENCE = 5000

/** Opens what `VRATA_AUDIT_SINK` names. */
export function openAuditSink(settings: AuditSinkSettings): AuditSink {
  switch (settings.to) {
    case 'stdout':
      return { send: writeToStdout }
    case 'file':
      return fileSink(settings.path)
    case 'web':
      return { send: (lines, signal) => post(settings.url, lines, signal) }
  }
}

/** Not by `process.stdout`, which writes nothing more once a write has failed, and whose error would end the process. */
async function writeToStdout(lines: string): Promise<void> {
  let rest = Buffer.from(`${lineIsBroken ? '\n' : ''}${lines}`)
  while (rest.length > 0) {
    const { bytesWritten } = await writeTo(1, rest)
    lineIsBroken = rest[bytesWritten - 1] !== NEWLINE
    rest = rest.subarray(bytesWritten)
  }
}

const writeTo = promisify(write)
const NEWLINE = 10
/** Whether a line on standard output was written in part, because the disk was full. */
let lineIsBroken = false

/**
 * A disk that does not answer, such as a network disk that is away, keeps the thread of each operation. So another one begins only when the one before
 * has ended: passwords and names of hosts need threads, too.
 */
export function fileSink(path: string, append = appendToFile, patience = FILE_PATIENCE): AuditSink {
  let appending: Promise<void> | undefined
  const noAnswer = () => new Error(`${path} has not answered for ${patience / 1000} s; is its disk away?`)
  return {
    async send(lines) {
      if (appending) throw noAnswer()
      appending = append(path, lines).finally(() => {
        appending = undefined
      })
      appending.catch(() => {})
      await within(patience, appending, noAnswer)
    },
  }
}

/** Opened for each batch, so that the file can be renamed away. */
async function appendToFile(path: string, lines: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const file = await open(path, 'a+', 0o600)
  try {
    const { size } = await file.stat()
    const { buffer } = await file.read(Buffer.alloc(1, NEWLINE), 0, 1, Math.max(0, size - 1))
    // A full disk has ended the last line.
    await file.writeFile(buffer[0] === NEWLINE ? lines : `\n${lines}`)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** User name and password of the address become the header `Authorization`. */
async function post(address: string, body: string, stop: AbortSignal): Promise<void> {
  const url = new URL(address)
  const credentials = [url.username, url.password].map(decodeURIComponent).join(':')
  const headers: Record<string, string> = { 'content-type': 'application/x-ndjson; charset=utf-8' }
  if (credentials !== ':') headers.authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  url.username = ''
  url.password = ''
  const signal = AbortSignal.any([stop, AbortSignal.timeout(PATIENCE)])
  const answer = await fetch(url, { method: 'POST', headers, body, redirect: 'error', signal })
  await answer.body?.cancel()
  if (!answer.ok) throw new Error(`the audit sink answered ${answer.status}`)
}

/** Events that the server sends to open pages (api §7). An event names what to reload and contains no private data. */
export type ServerEvents = {
  'account:updated': () => void
  'activity:created': () => void
  'sessions:changed': () => void
  /** The session of this socket has ended; the socket is closed afterwards. */
  'session:ended': () => void
  'connections:changed': () => void
  /** An app asks the user to sign in, or such a request has ended. */
  'requests:changed': () => void
  /** The organization has changed, or the user's level in it. */
  'developer:changed': (what: { developer_id: string }) => void
  'members:changed': (what: { developer_id: string }) => void
  'client:changed': (what: { developer_id: string; client_id?: string }) => void
  /** For operators: something waits for approval, or does no longer. */
  'approvals:changed': () => void
  /** Name, colors or pictures of the installation. */
  'branding:changed': () => void
  /** The ways to sign in or register have changed. */
  'policy:changed': () => void
  /** A QR code of this browser was opened, approved or denied. */
  'qr:changed': () => void
}
export type ServerEvent = keyof ServerEvents

/** Pages send no events; a socket that does is closed. */
export type ClientEvents = Record<never, never>

/** product §7. */
export const SOCKET_PATH = '/socket.io'

/** product §9, in milliseconds, named like the options of the Socket.IO client. */
export const RECONNECTION = {
  reconnection: true,
  reconnectionAttempts: Number.POSITIVE_INFINITY,
  reconnectionDelay: 1000,
  reconnectionDelayMax: 5000,
  randomizationFactor: 0.5,
  timeout: 20_000,
} as const

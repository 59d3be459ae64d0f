/**
 * What the server says to open pages (api.md §7). An event names what to load anew and carries no private data; what a
 * page then asks for is checked like any other call.
 */
export type ServerEvents = {
  'account:updated': () => void
  'activity:created': () => void
  'sessions:changed': () => void
  /** This very session is over; the socket is closed right afterwards. */
  'session:ended': () => void
  'connections:changed': () => void
  /** The organisation itself, or what this person may do in it. */
  'developer:changed': (what: { developer_id: string }) => void
  'members:changed': (what: { developer_id: string }) => void
  'client:changed': (what: { developer_id: string; client_id?: string }) => void
  /** A QR code that this browser shows has been seen, approved or denied. */
  'qr:changed': () => void
}
export type ServerEvent = keyof ServerEvents

/** Pages say nothing over the socket; whoever does is shown out. */
export type ClientEvents = Record<never, never>

/** Specification §7. */
export const SOCKET_PATH = '/socket.io'

/** Specification §9, in milliseconds, as the client's options are called. */
export const RECONNECTION = {
  reconnection: true,
  reconnectionAttempts: Number.POSITIVE_INFINITY,
  reconnectionDelay: 1000,
  reconnectionDelayMax: 5000,
  randomizationFactor: 0.5,
  timeout: 20_000,
} as const

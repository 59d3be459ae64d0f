/** Files of users outside the database: pictures, archives. One folder or bucket per kind. */
export interface Files {
  /** Writes a file under an unused name, completely or not at all; resolves with its size in bytes. */
  put(name: string, content: AsyncIterable<Uint8Array>): Promise<number>
  /** Undefined when the file does not exist. */
  open(name: string): Promise<{ body: AsyncIterable<Uint8Array>; bytes: number } | undefined>
  /** Succeeds when the file does not exist, too. */
  remove(name: string): Promise<void>
}

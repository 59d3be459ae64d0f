/** Files that people's data lives in, beside the database: pictures, archives. One folder, or one bucket, per kind. */
export interface Files {
  /** Keeps what comes under a name that was not used before; answers how many bytes. All of it, or nothing. */
  put(name: string, content: AsyncIterable<Uint8Array>): Promise<number>
  /** Undefined when there is none. */
  open(name: string): Promise<{ body: AsyncIterable<Uint8Array>; bytes: number } | undefined>
  /** Succeeds when there is none, too. */
  remove(name: string): Promise<void>
}

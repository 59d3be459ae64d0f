/** A command cannot be done; the message is a sentence for the operator and is printed without a stack. */
export class CommandError extends Error {
  override name = 'CommandError'
  /** Exit code: 1 for what failed, 2 for arguments that are wrong. */
  readonly exitCode: number

  constructor(message: string, { exitCode = 1, cause }: { exitCode?: 1 | 2; cause?: unknown } = {}) {
    super(message, { cause })
    this.exitCode = exitCode
  }
}

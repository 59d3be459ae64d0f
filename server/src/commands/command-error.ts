import { Problem } from '@vrata/contract'

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

/** Says problems in the sentences of a command, by code; `{subject}` in them is what the command was called with. */
export async function explained<T>(
  work: Promise<T>,
  sentences: Partial<Record<string, string>>,
  subject: string,
): Promise<T> {
  return await work.catch((error: unknown) => {
    const sentence = error instanceof Problem ? sentences[error.code] : undefined
    throw sentence ? new CommandError(sentence.replace('{subject}', subject), { cause: error }) : error
  })
}

import type { Config, Settings } from '../config/config.ts'

/** A command of `vrata`. One with `run` refuses to work where there is no secret. */
export type Command = {
  does: string
  /** Arguments and options, and what they mean; printed by `--help`. */
  usage?: string
} & (
  | { run(config: Config, words: string[]): Promise<void> }
  /** Makes the secret of a new installation, which is stored when the database is opened. */
  | { runWithNewSecret(configOf: () => Config, words: string[]): Promise<void> }
  /** Works without a secret and creates none. */
  | { runWithoutSecret(settings: Settings, words: string[]): Promise<void> }
)

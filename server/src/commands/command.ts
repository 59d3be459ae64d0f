import type { Config, Settings } from '../config/config.ts'

/** A command of `vrata`. One with `run` refuses to work where there is no secret. */
export type Command = {
  does: string
  /** Arguments and options, and what they mean; printed by `--help`. */
  usage?: string
} & (
  | { run(config: Config, words: string[]): Promise<void> }
  /** Reading the settings creates the secret of a new installation: after the arguments were found right. */
  | { runWithNewSecret(configOf: () => Config, words: string[]): Promise<void> }
  /** Works without a secret and creates none. */
  | { runWithoutSecret(settings: Settings, words: string[]): Promise<void> }
)

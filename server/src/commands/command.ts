import type { Config, Settings } from '../config/config.ts'

/** A command of `vrata`. */
export type Command = {
  does: string
  /** Arguments and options, and what they mean; printed by `--help`. */
  usage?: string
} & (
  | {
      run(config: Config, words: string[]): Promise<void>
      /** Creates the secret of a new installation; without it, a command refuses to work where there is none. */
      createsSecret?: true
    }
  /** Works without a secret and creates none. */
  | { runWithoutSecret(settings: Settings, words: string[]): Promise<void> }
)

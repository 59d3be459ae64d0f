import type { clients } from '@vrata/contract'

/** A program of `examples/quick-starts`; its `list.ts` documents the members. */
export type QuickStartTemplate = {
  key: string
  title: string
  kinds: readonly string[]
  redirect_uri?: string
  origin?: string
  install?: string
  run: string
  open?: string
  id_token_algorithms?: readonly clients.SigningAlgorithm[]
  files: readonly { name: string; language: string; code: string }[]
}

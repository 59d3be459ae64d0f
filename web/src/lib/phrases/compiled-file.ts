import type { Message } from '@vrata/phrases/message'

/** Phrases of one file in one language, compiled by `build/phrases-plugin.ts`. */
export type Compiled = Readonly<Record<string, Message>>
export type CompiledFile = Record<string, Compiled>

export { type Formats, formats } from './format.ts'
export type { PhraseFile, PhraseKey } from './keys.ts'
export type { Values } from './message.ts'
export { type Translate, translator } from './translate.ts'

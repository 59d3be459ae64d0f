import type { catalog } from './en-US/catalog.ts'

type Catalog = typeof catalog

/** A file of sentences, named after the feature that uses them. */
export type PhraseFile = keyof Catalog

/** File and key of a sentence, `sign-in.login.title`, as in the English catalog. */
export type PhraseKey = { [S in PhraseFile]: `${S}.${keyof Catalog[S] & string}` }[PhraseFile]

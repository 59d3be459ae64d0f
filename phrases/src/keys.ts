import type { catalogue } from './en-US/catalogue.ts'

type Catalogue = typeof catalogue

/** One file of sentences, named after the feature that says them. */
export type Slice = keyof Catalogue

/** `auth.login.title`: slice and key of a sentence. English decides which exist. */
export type PhraseKey = { [S in Slice]: `${S}.${keyof Catalogue[S] & string}` }[Slice]
